// Runs the service that the tests of a project share: node shared-service.ts <cdk.out> <log file>. It has a process of its
// own, because in each test process all functions would have to start and compile again. It ends with its parent process.
import { localServiceOf, pointStoreAt } from '../../bin/target.ts';
import { lineLog } from '../../local/log.ts';
import { startService } from '../../local/service.ts';

/** A function remembers for 50 seconds which hosts are blocked, so these are blocked before the first request. */
const blockedHosts = ['blocked.example.com', 'evil.example.com', 'first.example.com', '[2606:4700::1]'];

const [outdir = '', logFile = ''] = process.argv.slice(2);
const log = lineLog(logFile);
// Functions may log nothing. Without this line, a test that finds nothing in the log could be reading the wrong file.
log('the service that the tests share is starting');
const service = await startService({ outdir, inMemory: true, log });
process.once('disconnect', () => service.stop());
pointStoreAt(localServiceOf(service));
const { blockHost } = await import('../../lambdas/store/destinations.ts');
for (const host of blockedHosts) await blockHost(host);
process.send?.({ baseUrl: service.baseUrl, endpoint: service.endpoint });
