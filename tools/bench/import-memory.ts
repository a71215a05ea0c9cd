import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

// How much memory and time `npm run import` takes for a CSV file of this many rows, with a report, if the service
// responds at once: `npx node tools/bench/import-memory.ts 1000000`. Only on Linux.

const rows = Number(process.argv[2] ?? 1_000_000);

/** A file in which each row has a slug of 16 characters. */
function* fileOf(count: number): Generator<string> {
  yield 'url,slug,title\n';
  for (let row = 0; row < count; row++) {
    yield `https://www.example.org/catalogue/page-${row}.html,summer-${String(row).padStart(9, '0')},The page ${row} of a catalogue\n`;
  }
}

/** The service's response to a bulk request in which all links are created. */
const answerTo = ({ links }: { readonly links: readonly { readonly customSlug: string }[] }) => ({
  created: links.length,
  activeCount: links.length,
  pendingCount: 0,
  failed: [],
  links: links.map(({ customSlug, ...link }) => ({
    id: `lnk_${customSlug.padEnd(28, '0')}`,
    shortCode: customSlug,
    domain: 'go.example.com',
    shortUrl: `https://go.example.com/${customSlug}`,
    aliases: [],
    tags: [],
    description: null,
    createdAt: '2026-11-21T06:53:09.021Z',
    ...link,
  })),
});

const server = createServer(async (request, response) => {
  const answer = answerTo((await json(request)) as Parameters<typeof answerTo>[0]);
  // A limit that the import does not reach.
  response.writeHead(200, { 'Content-Type': 'application/json', 'RateLimit-Policy': '"bulk";q=1000000;w=60' });
  response.end(JSON.stringify(answer));
});

/** The most memory that a process had so far, in MB; 0 once it has ended. */
const peakOf = ({ pid }: ChildProcess): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * (1_024 / 1e6);

const folder = mkdtempSync(join(tmpdir(), 'links-import-'));
try {
  const file = join(folder, 'links.csv');
  await pipeline(Readable.from(fileOf(rows)), createWriteStream(file));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ['--from', 'csv', '--domain', 'go.example.com', '--url', url, '--report', join(folder, 'report.csv'), file];
  const from = process.hrtime.bigint();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/import.ts'), ...args], {
    env: { PATH: process.env.PATH, LINKS_API_KEY: 'lk_key' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child));
  }, 100);
  child.stdout.pipe(process.stdout);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  const seconds = Number(process.hrtime.bigint() - from) / 1e9;
  console.log(`exit code ${code}, ${seconds.toFixed(0)} seconds, at most ${peak.toFixed(0)} MB`);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
