import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;

/**
 * Runs AWS's DynamoDB Local in memory, on a free port of the loopback interface, until its standard input ends. Its own
 * command listens on every interface, and outlives the process that started it.
 */
class DynamoDbLocal {
  public static void main(String[] args) throws Exception {
    var local = ServerRunner.createServerFromCommandLineArgs(new String[] {"-inMemory", "-disableTelemetry"});
    var server = local.getClass().getDeclaredField("server");
    server.setAccessible(true);
    var connector = (ServerConnector) ((Server) server.get(local)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    local.start();
    System.out.println("listening on " + connector.getLocalPort());
    while (System.in.read() >= 0) {}
    Runtime.getRuntime().halt(0);
  }
}
