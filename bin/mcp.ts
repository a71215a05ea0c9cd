import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { mcpServer } from '../clients/mcp/server.ts';
import { linksClient } from '../clients/typescript/client.ts';
import { dataDirOption, withOneLineErrors } from './shared/arguments.ts';
import { accessWithKey } from './shared/connection.ts';

// `npm run mcp`: serves what `/mcp` serves over standard input and output, to a program on this machine. Nothing else
// may be written to standard output.

const program = withOneLineErrors(new Command('mcp'))
  .description('Speak the Model Context Protocol over standard input and output')
  .option('--url <url>', 'the URL of the service; its key is in LINKS_API_KEY')
  .addOption(dataDirOption())
  .action(async (options: { url?: string; dataDir: string }) => {
    const access = accessWithKey(options);
    const { data } = await linksClient({ ...access, waits: false }).GET('/api/v1/me');
    const { id: keyId, permissions } = data.key;
    const onMistake = (error: unknown) => console.error(error);
    serveStdio(() => mcpServer({ ...access, keyId, permissions, onMistake }));
  });

await program.parseAsync().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
