import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Timer;
import java.util.TimerTask;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.main.ServerRunner;

/**
 * Runs AWS's DynamoDB Local on a free port of 127.0.0.1, until its standard input ends. Its own command listens on
 * every interface, responds to every web page, and outlives the process that started it.
 *
 * <p>Arguments: "keep" and the folder for the database file; or "scratch" and a folder to remove at the end, with the
 * tables in memory.
 */
class DynamoDbLocal {
  public static void main(String[] args) throws Exception {
    var keep = args[0].equals("keep");
    var folder = Path.of(args[1]);
    // "-sharedDb": one database, whatever the credentials and the region of a request.
    var local =
        ServerRunner.createServerFromCommandLineArgs(
            keep
                ? new String[] {"-disableTelemetry", "-sharedDb", "-dbPath", folder.toString()}
                : new String[] {"-disableTelemetry", "-sharedDb", "-inMemory"});
    if (keep) writeAhead(queueOf(local));
    var server = (Server) field(local, "server");
    server.setHandler(new NoWebPages(server.getHandler()));
    var connector = (ServerConnector) server.getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    server.start();
    System.out.println("listening on " + connector.getLocalPort());
    while (System.in.read() >= 0) {}
    if (keep) local.stop();
    else remove(folder);
    Runtime.getRuntime().halt(0);
  }

  /**
   * Refuses what a web page sends. A browser adds an Origin to each POST
   * (https://fetch.spec.whatwg.org/#origin-header), even to the page's own host, which may be a name that leads to
   * 127.0.0.1 by now.
   */
  private static class NoWebPages extends Handler.Wrapper {
    NoWebPages(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (request.getHeaders().get("Origin") == null) return super.handle(request, response, callback);
      Response.writeError(request, response, callback, 403);
      return true;
    }
  }

  /**
   * Lets writes go on without waiting for the disk, as the embedded engine does. By default, each waits for it several
   * times, and an import meets its deadlines only on a fast disk. A power cut may lose the last seconds, but no more.
   *
   * <p>DynamoDB Local keeps statements open, so SQLite never moves the log to the database by itself.
   */
  private static void writeAhead(SQLiteQueue queue) {
    run(queue, "PRAGMA journal_mode = WAL");
    run(queue, "PRAGMA synchronous = NORMAL");
    var checkpoint =
        new TimerTask() {
          @Override
          public void run() {
            DynamoDbLocal.run(queue, "PRAGMA wal_checkpoint");
          }
        };
    new Timer(true).schedule(checkpoint, 5_000, 5_000);
  }

  private static void run(SQLiteQueue queue, String sql) {
    var job =
        new SQLiteJob<Void>() {
          @Override
          protected Void job(SQLiteConnection connection) throws SQLiteException {
            connection.exec(sql);
            return null;
          }
        };
    queue.execute(job).complete();
  }

  /** The queue of the shared database, which is opened if it is not open yet. */
  private static SQLiteQueue queueOf(Object local) throws ReflectiveOperationException {
    var requests = field(field(local, "serverHandler"), "primaryHandler");
    var open = requests.getClass().getDeclaredMethod("getHandler", String.class);
    open.setAccessible(true);
    return (SQLiteQueue) field(field(open.invoke(requests, "any"), "dbAccess"), "queue");
  }

  /** The value of a field that has no accessor. */
  private static Object field(Object object, String name) throws ReflectiveOperationException {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      for (var field : type.getDeclaredFields()) {
        if (!field.getName().equals(name)) continue;
        field.setAccessible(true);
        return field.get(object);
      }
    }
    throw new NoSuchFieldException(object.getClass().getName() + "." + name);
  }

  private static void remove(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
