import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDns } from '../../../local/dns.ts';

/** Starts a DNS server whose records the test sets. Functions of this process use it. */
export async function useDns() {
  const folder = mkdtempSync(join(tmpdir(), 'links-dns-'));
  const log: string[] = [];
  const dns = await startDns(join(folder, 'dns.json'), (line) => log.push(line));
  process.env.DNS_SERVERS = dns.server;
  return {
    ...dns,
    log,
    set: (records: unknown) => writeFileSync(dns.file, typeof records === 'string' ? records : JSON.stringify(records)),
    stop: () => {
      dns.stop();
      rmSync(folder, { recursive: true, force: true });
      delete process.env.DNS_SERVERS;
    },
  };
}
