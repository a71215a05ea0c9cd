import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';

/** The protocol of 2026-07-28, without handshake, and the one before. */
export const generations = ['2026-07-28', '2025-11-25'] as const;

type Result = {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly data?: string;
    readonly mimeType?: string;
  }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly structuredContent?: any;
};

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

/** An official client that speaks a generation of the protocol, and closes after the test. */
export async function mcpClient(baseUrl: string, key: string, generation: (typeof generations)[number] = '2026-07-28') {
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    { versionNegotiation: { mode: generation === '2026-07-28' ? { pin: generation } : 'legacy' } },
  );
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }));
  open.push(client);
  // After it has the list, the client compares each answer with the tool's `outputSchema`.
  const { tools } = await client.listTools();
  const call = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as Result;
  return {
    client,
    tools,
    names: tools.map(({ name }) => name),
    call,
    /** The answer of a call that must succeed. */
    answer: async (name: string, args: object = {}) => {
      const result = await call(name, args);
      if (result.isError) throw new Error(`${name}: ${result.content[0]?.text}`);
      return result.structuredContent;
    },
    /** The error that a model gets for a call that must fail. */
    error: async (name: string, args: object = {}) => {
      const result = await call(name, args);
      if (!result.isError) throw new Error(`${name} did not fail`);
      return result.content.map(({ text }) => text).join('\n');
    },
  };
}
