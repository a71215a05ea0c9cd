// Runs the service that the tests of a project share: node shared-service.ts <cdk.out> <folder>. It has a process of its own,
// because in each test process all functions would have to start and compile again. It ends with its parent process, and
// removes the folder.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { localServiceOf, pointStoreAt } from '../../../bin/shared/target.ts';
import { lineLog } from '../../../local/log.ts';
import { startService } from '../../../local/service.ts';

/** A function remembers for 50 seconds which hosts are blocked, so these are blocked before the first request. */
const blockedHosts = ['blocked.example.com', 'evil.example.com', 'first.example.com', '[2606:4700::1]'];

const [outdir = '', folder = ''] = process.argv.slice(2);
const logFile = join(folder, 'functions.log');
const log = lineLog(logFile);
// Functions may log nothing. Without this line, a test that finds nothing in the log could be reading the wrong file.
log('the service that the tests share is starting');
const service = await startService({ outdir, inMemory: true, log });
process.once('disconnect', async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
// On Ctrl-C, the parent process ends and disconnects.
process.on('SIGINT', () => {});
// As `npm start` does it.
await service.invoke('rotate-day-secrets', {});
pointStoreAt(localServiceOf(service));
const { blockHost } = await import('../../../lambdas/operator/blocked-hosts.ts');
for (const host of blockedHosts) await blockHost(host);
process.send?.({ baseUrl: service.baseUrl, endpoint: service.endpoint, logFile });
