// Replaces the native part of the runtime client, which talks to the Runtime API, with the same three calls over
// `node:http`.
const { Agent, request } = require('node:http');
const Module = require('node:module');

const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
// One connection, so that a response is sent before the next event is requested.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (method, path, body) =>
  new Promise((resolve, reject) => {
    const options = { hostname, port, method, path: `/2018-06-01/runtime/invocation/${path}`, agent };
    const sent = request(options, async (response) => {
      const text = (await Array.fromAsync(response.setEncoding('utf8'))).join('');
      resolve({ bodyJson: text, headers: response.headers });
    });
    sent.on('error', reject).end(body);
  });

const client = {
  next: () => send('GET', 'next'),
  done: (id, body) => void send('POST', `${id}/response`, body),
  error: (id, body) => void send('POST', `${id}/error`, body),
};

const load = Module._load;
Module._load = (name, ...rest) => (name === './rapid-client.node' ? client : load(name, ...rest));
