import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, test } from 'vitest';
import { generations, mcpClient } from '../support/http/mcp.ts';
import { someOf } from '../support/run/proof.ts';
import { type Service, useService } from '../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const command = { command: 'npm', stderr: 'pipe' } as const;
const argsFor = (url: string) => ['run', '-s', 'mcp', '--', '--url', url];
const environment = (LINKS_API_KEY: string) => ({ ...(process.env as Record<string, string>), LINKS_API_KEY });

test.for(someOf(generations, 'generations of the protocol'))(
  'npm run mcp offers the same tools over standard input and output (%s).',
  async (generation) => {
    const { newKey, domain } = await service.newWorkspace();
    const { key } = await newKey(['links:read', 'domains:read']);
    const client = new Client(
      { name: 'tests', version: '1' },
      { versionNegotiation: { mode: generation === '2025-11-25' ? 'legacy' : 'auto' } },
    );
    await client.connect(new StdioClientTransport({ ...command, args: argsFor(service.baseUrl), env: environment(key) }));
    expect(client.getNegotiatedProtocolVersion()).toBe(generation);
    expect((await client.listTools()).tools).toEqual((await mcpClient(service.baseUrl, key, generation)).tools);
    const { structuredContent } = await client.callTool({ name: 'list_domains', arguments: {} });
    expect(structuredContent).toMatchObject({ domains: [{ domain }] });
    await client.close();
  },
);

test('npm run mcp says in one line, not on standard output, why it cannot start.', async () => {
  const transport = new StdioClientTransport({
    ...command,
    args: argsFor(service.baseUrl),
    env: environment(`lk_${'a'.repeat(36)}`),
  });
  let said = '';
  transport.stderr?.on('data', (part) => {
    said += part;
  });
  const client = new Client({ name: 'tests', version: '1' });
  await expect(client.connect(transport)).rejects.toThrow();
  await expect.poll(() => said).toBe('The request needs the header "Authorization: Bearer <key>" with a valid API key.\n');
});
