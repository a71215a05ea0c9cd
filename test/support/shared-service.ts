// Runs the service that the tests of a project share, in a process of its own: in each of theirs, all functions would
// start and be compiled again. It ends when the process that has started it ends.
import { localServiceOf, pointStoreAt } from '../../bin/target.ts';
import { startService } from '../../local/service.ts';

/** A function remembers for 50 seconds which hosts are blocked, so these are blocked before the first request. */
const blockedHosts = ['blocked.example.com', 'evil.example.com', 'first.example.com', '[2606:4700::1]'];

const [outdir = '', dataDir = ''] = process.argv.slice(2);
const service = await startService({ outdir, dataDir, inMemory: true });
process.once('disconnect', () => service.stop());
pointStoreAt(localServiceOf(service));
const { blockHost } = await import('../../lambdas/store/destinations.ts');
for (const host of blockedHosts) await blockHost(host);
process.send?.({ baseUrl: service.baseUrl, endpoint: service.endpoint });
