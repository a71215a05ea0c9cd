import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextLook } from 'node:timers/promises';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type Connection, connectionsTo } from '../../../../lambdas/store/table/connections.ts';
import { type Certificate, certificateAuthority } from '../../../support/certificate.ts';

const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const question = 'POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 0\r\n\r\n';

/** What the server does with a request. Its connections are numbered from 1. */
type Reaction = (socket: Socket, connection: number) => void;

const servers: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
});

/** Starts a server that reacts to each request, and returns how to connect to it. */
async function serve(reaction: Reaction, server: Server = createServer(), event = 'connection') {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on(event, (socket: Socket) => {
    const connection = ++count;
    socket.on('error', () => {});
    socket.on('data', () => reaction(socket, connection));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  servers.push({ server, sockets });
  const { port } = server.address() as AddressInfo;
  return { port, connection: connectionsTo({ isSecure: false, hostname: '127.0.0.1', port }), opened: () => count, sockets };
}

const ask = async (connection: () => Connection) => (await connection().exchange(question)).body;
/** The code of the error with which an exchange fails. */
const failure = (connection: () => Connection) =>
  ask(connection).then(
    (body) => `no error, but ${body}`,
    (error: NodeJS.ErrnoException) => error.code,
  );

describe('Connections', () => {
  test('stay open for the next request, and only requests at the same time need another one.', async () => {
    const { connection, opened } = await serve((socket) => socket.write(hello));
    for (let request = 0; request < 5; request++) expect(await ask(connection)).toBe('hello');
    expect(opened()).toBe(1);
    expect(await Promise.all([ask(connection), ask(connection), ask(connection)])).toEqual(['hello', 'hello', 'hello']);
    expect(await Promise.all([ask(connection), ask(connection), ask(connection)])).toEqual(['hello', 'hello', 'hello']);
    expect(opened()).toBe(3);
  });

  test('keep answers apart, however they are cut, and in whatever order they come.', async () => {
    let asked = 0;
    const { connection, opened } = await serve((socket) => {
      const body = `answer ${++asked}`;
      const bytes = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      const cut = (asked * 7) % bytes.length;
      const later = () => setImmediate(() => socket.write(bytes.subarray(cut)));
      socket.write(bytes.subarray(0, cut), asked % 2 ? later : () => setImmediate(later));
    });
    for (let round = 0; round < 20; round++) {
      const before = asked;
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask(connection)));
      expect(answers.sort()).toEqual(Array.from({ length: 5 }, (_, place) => `answer ${before + place + 1}`).sort());
    }
    expect(opened()).toBe(5);
  });

  const ends: readonly (readonly [string, answer: string, afterwards: (socket: Socket) => unknown])[] = [
    ['the server closes while nobody uses it', hello, (socket) => socket.end()],
    ['breaks while nobody uses it', hello, (socket) => socket.resetAndDestroy()],
    ['gets something while nobody uses it', hello, (socket) => socket.write('HTTP/1.1 408 Timeout\r\n\r\n')],
    ['gets more than it has asked for', `${hello}HTTP/1.1 200 OK\r\n`, () => {}],
    ['is to be closed', hello.replace('\r\n', '\r\nConnection: close\r\n'), () => {}],
  ];
  test.for(ends)('A connection that %s is not used again.', async ([, answer, afterwards]) => {
    const { connection, opened, sockets } = await serve((socket, count) => socket.write(count === 1 ? answer : hello));
    expect(await ask(connection)).toBe('hello');
    const [first] = sockets;
    if (!first) throw new Error('there was a connection');
    afterwards(first);
    // Both sides see its end: the server here, and this side when it next looks at its sockets.
    if (!first.closed) await once(first, 'close');
    for (let look = 0; look < 2; look++) await nextLook();
    expect(await ask(connection)).toBe('hello');
    expect(await ask(connection)).toBe('hello');
    expect(opened()).toBe(2);
  });

  test('A response that is cut off anywhere is an error, and the next request gets its own.', async () => {
    let cut = 0;
    const { connection } = await serve((socket) => {
      if (cut < hello.length) socket.write(hello.slice(0, cut), () => socket.end());
      else socket.write(hello);
    });
    for (cut = 0; cut < hello.length; cut++) expect(await failure(connection)).toBe('ECONNRESET');
    expect(await ask(connection)).toBe('hello');
  });

  test('A large response arrives whole, with all its characters.', async () => {
    const body = fc.sample(fc.string({ unit: 'grapheme', minLength: 50, maxLength: 50 }), { seed: 1, numRuns: 1 })[0] ?? '';
    const large = body.repeat(20_000);
    const { connection } = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(large)}\r\n\r\n${large}`);
    });
    expect((await ask(connection)) === large).toBe(true);
    expect((await ask(connection)) === large).toBe(true);
  });

  test('Anything but HTTP is an error, and ends the connection.', async () => {
    const { connection, opened } = await serve((socket, count) => socket.write(count === 1 ? 'SSH-2.0\r\n\r\n' : hello));
    expect(await failure(connection)).toBe('EPROTO');
    expect(await ask(connection)).toBe('hello');
    expect(opened()).toBe(2);
  });

  test('An exchange that is given up fails with that error, and its connection is not used again.', async () => {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { connection, opened } = await serve((socket, count) => (count > 1 ? socket.write(hello) : reach()));
    const slow = connection();
    const result = expect(slow.exchange(question)).rejects.toThrow('too late');
    await reached;
    slow.fail(new Error('too late'));
    await result;
    expect(await ask(connection)).toBe('hello');
    expect(opened()).toBe(2);
  });

  test('If nobody listens, the error says so.', async () => {
    const { port } = await serve(() => {});
    const [{ server } = {}] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(await failure(connectionsTo({ isSecure: false, hostname: '127.0.0.1', port }))).toBe('ECONNREFUSED');
  });

  test('An idle connection does not keep a process alive.', async () => {
    const { port, opened } = await serve((socket) => socket.write(hello));
    const module = join(import.meta.dirname, '../../../../lambdas/store/table/connections.ts');
    const script = `
      const { connectionsTo } = await import(${JSON.stringify(module)});
      const limit = setTimeout(() => {}, 60_000);
      const { body } = await connectionsTo({ isSecure: false, hostname: '127.0.0.1', port: ${port} })().exchange(${JSON.stringify(question)});
      clearTimeout(limit);
      console.log(body);`;
    // It would not end before the server does.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout.trim()).toBe('hello');
    expect(opened()).toBe(1);
  });
});

describe('TLS', () => {
  const authority = certificateAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.cert]);

  const serveTls = (certificate: Certificate, reaction: Reaction = (socket) => socket.write(hello)) =>
    serve(reaction, createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] }), 'secureConnection');

  test.for(['localhost', '127.0.0.1'])('A request to %s is sent if the certificate is for it.', async (hostname) => {
    const names: (string | false | null)[] = [];
    const { port, opened } = await serveTls(authority.issue(hostname), (socket) => {
      const { servername, alpnProtocol } = socket as TLSSocket & { servername: string | false };
      names.push(servername, alpnProtocol);
      socket.write(hello);
    });
    const connection = connectionsTo({ isSecure: true, hostname, port });
    expect([await ask(connection), await ask(connection)]).toEqual(['hello', 'hello']);
    expect(opened()).toBe(1);
    const name = hostname === 'localhost' && hostname;
    expect(names).toEqual([name, 'http/1.1', name, 'http/1.1']);
  });

  test.for([
    ['is for another name', () => authority.issue('example.com'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', () => authority.issue('localhost', new Date('2021-01-01')), 'CERT_HAS_EXPIRED'],
    ['an unknown authority issued', () => certificateAuthority().issue('localhost'), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const)('Nothing is sent if the certificate %s.', async ([, issue, code]) => {
    let received = 0;
    const { port } = await serveTls(issue(), () => received++);
    expect(await failure(connectionsTo({ isSecure: true, hostname: 'localhost', port }))).toBe(code);
    expect(received).toBe(0);
  });

  test('The next connection resumes the session of an earlier one.', async () => {
    const resumed: boolean[] = [];
    const { port } = await serveTls(authority.issue('localhost'), (socket) => {
      resumed.push((socket as TLSSocket).isSessionReused());
      socket.write(hello);
    });
    const connection = connectionsTo({ isSecure: true, hostname: 'localhost', port });
    await ask(connection);
    await Promise.all([ask(connection), ask(connection)]);
    expect(resumed.sort()).toEqual([false, false, true]);
  });
});
