// Runs a synthesised app in its own process, for tests that kill it: node local-host.ts <cdk.out> <data folder>
// [in-memory]
import { startService } from '../../../local/service.ts';

const [outdir = '', dataDir = '', inMemory] = process.argv.slice(2);
const { baseUrl, endpoint } = await startService({ outdir, dataDir, inMemory: inMemory !== undefined });
console.log(JSON.stringify({ baseUrl, endpoint }));
