import { once } from 'node:events';
import { Agent, createServer, get, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundle } from '../../lib/bundles.ts';
import { type ColdStart, printColdStarts } from './support/cold-starts.ts';
import { functionEnvironment, withService } from './support/local-service.ts';
import { medians } from './support/measure.ts';

// What visits cost: how long a cold start takes, as a ratio to an empty function, and the processor time of a visit in
// a warm function, as a ratio to a bare 302 of Node's own server in the same process.

const starts = 21;
const rounds = 15;
const visits = 200;
/** A bare 302 is so short that more of them are needed. */
const bareVisits = 1_000;
/** Hashing the password at each visit takes far longer than anything else. */
const passwordVisits = 10;

await withService(
  async ({ baseUrl }, outdir) => {
    const { chrome, newVisits, newWorkspace, visitEvent } = await import('./support/fixtures.ts');
    const { host, domain } = await newWorkspace();
    const kinds = await newVisits(domain);

    const bundles = join(outdir, 'bundles');
    bundle(
      ['empty', 'tls'].map((name) => join(import.meta.dirname, `baselines/${name}.ts`)),
      bundles,
    );
    const idle = () => [{}, {}];
    const cold: Record<string, ColdStart> = {
      empty: { folder: join(bundles, 'empty'), events: idle },
      tls: { folder: join(bundles, 'tls'), events: idle },
    };
    for (const [name, { path, headers }] of Object.entries(kinds)) {
      const visit = () => visitEvent(host, path(), headers);
      cold[name] = { folder: join(bundles, 'redirect'), events: () => [visit(), visit()] };
    }
    const { rotateDaySecrets } = await import('../../lambdas/store/visitors/day-secrets.ts');
    await rotateDaySecrets();
    const { plain } = cold;
    if (plain) cold['with unique clicks'] = { ...plain, env: { UNIQUE_CLICKS: 'daily' } };
    await printColdStarts(starts, functionEnvironment(), cold);

    const bare = createServer((_, response) => response.writeHead(302, { Location: 'https://example.org/' }).end());
    await once(bare.listen(0, '127.0.0.1'), 'listening');
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;

    const agent = new Agent({ keepAlive: true });
    let bareMs = Number.NaN;
    /**
     * The processor time of a visit in this process, in milliseconds, and as a ratio to a bare 302 in the same round:
     * client, gateway and function together.
     */
    const cpuOf =
      (address: () => string, status: number, headers: OutgoingHttpHeaders = {}, count = visits) =>
      async () => {
        const before = process.cpuUsage();
        for (let visit = 0; visit < count; visit++) {
          const url = address();
          const [response] = await once(
            get(url, { agent, headers: { 'User-Agent': chrome, ...headers, Host: host } }),
            'response',
          );
          if (response.statusCode !== status) throw new Error(`${url} → ${response.statusCode}`);
          response.resume();
          await once(response, 'end');
        }
        const { user, system } = process.cpuUsage(before);
        const ms = (user + system) / 1_000 / count;
        if (count === bareVisits) bareMs = ms;
        return { ms, ratio: ms / bareMs };
      };
    const times = await medians<string, 'ms' | 'ratio'>(rounds, {
      'bare 302': cpuOf(() => bareUrl, 302, {}, bareVisits),
      'no read': cpuOf(() => `${baseUrl}/robots.txt`, 200),
      ...Object.fromEntries(
        Object.entries(kinds).map(([name, { path, headers, status }]) => [
          name,
          cpuOf(() => baseUrl + path(), status, headers, name === 'password' ? passwordVisits : visits),
        ]),
      ),
    });
    console.log(
      `\nprocessor time of a visit, median of ${rounds} rounds of ${visits}, and as a ratio to a bare 302 of the same process\n`,
    );
    for (const [name, { ms, ratio }] of Object.entries(times)) {
      console.log(`${name.padEnd(20)} ${ms.toFixed(2).padStart(7)} ms ${ratio.toFixed(1).padStart(6)}`);
    }
    agent.destroy();
    bare.close();
    // Clicks are counted after the visitor has the response, by another function. On a laptop that is this process.
  },
  { readsStreams: false },
);
