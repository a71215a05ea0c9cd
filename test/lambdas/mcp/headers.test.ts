import { expect, test } from 'vitest';
import { contextWith } from '../../support/http/invoke.ts';

// Node's HTTP clients cannot send these, but others can, and the gateway passes them on.
process.env.API_URL = 'https://api.example.com/dev/';

const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

async function send(headers: Record<string, string>) {
  const { handler } = await import('../../../lambdas/mcp/mcp.ts');
  const authorizer = { workspaceId: 'ws_1', principalId: 'key_1', permissions: 'links:read' };
  const requestContext = { requestId: 'r', requestTimeEpoch: Date.now(), authorizer };
  const sent = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', ...headers };
  const event = { httpMethod: 'POST', path: '/mcp', headers: sent, body: list, requestContext };
  return handler(event as never, contextWith(20_000));
}

test.for<[string, Record<string, string>, number]>([
  ['any character in an irrelevant header', { 'X-Name': '日本\n\u0000' }, 200],
  ['an unknown header of the protocol', { 'Mcp-Param-Näme': 'x', 'Mcp-Param-X': '日本' }, 200],
  ['a version with a line break', { 'MCP-Protocol-Version': '2025-11-25\r\nX: y' }, 400],
  ['an origin with any character', { Origin: 'https://日本.example' }, 403],
  ['a media type with any character', { 'Content-Type': 'application/日本' }, 415],
  ["the API's own origin", { Origin: 'https://api.example.com' }, 200],
  ['another origin under the same name', { Origin: 'https://api.example.com.evil.example' }, 403],
])('%s causes no error of the function.', async ([, headers, status]) => {
  expect((await send(headers)).statusCode).toBe(status);
});

test('An expired key that the gateway still accepts is refused.', async () => {
  const { handler } = await import('../../../lambdas/mcp/mcp.ts');
  const authorizer = {
    workspaceId: 'ws_1',
    principalId: 'key_1',
    permissions: 'links:read',
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  const requestContext = { requestId: 'r', requestTimeEpoch: Date.parse('2030-01-01T00:00:00.001Z'), authorizer };
  const event = { httpMethod: 'POST', path: '/mcp', headers: {}, body: list, requestContext };
  expect((await handler(event as never, contextWith(20_000))).statusCode).toBe(401);
});
