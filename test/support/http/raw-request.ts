import { connect } from 'node:net';

/** Sends the lines of a request unchanged, one byte per character, and returns everything that comes back. */
export function rawRequest(port: number, lines: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const text = [...lines, 'Connection: close', '', body].join('\r\n');
    const socket = connect(port, '127.0.0.1', () => socket.end(text, 'latin1'));
    socket.setEncoding('utf8').on('data', (part) => {
      response += part;
    });
    socket.on('close', () => resolve(response)).on('error', (error) => (response ? resolve(response) : reject(error)));
  });
}
