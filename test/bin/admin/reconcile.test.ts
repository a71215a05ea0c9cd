import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { steps } from '../../../clients/smoke/steps.ts';
import { visitsOf } from '../../../clients/smoke/visits.ts';
import { linksClient } from '../../../clients/typescript/client.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { appOf } from '../../support/service/app-of.ts';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { type OwnService, useOwnService } from '../../support/service/service.ts';

let service: OwnService;
const folder = newDataFolder();
const { admin } = adminOn(folder.dataDir);
beforeAll(async () => {
  service = await useOwnService(appOf(localStage(3000, undefined, true)));
  folder.pointAt(service);
});
afterAll(() => folder.remove());

const reconcile = async (...more: string[]) => {
  const { code, stdout, stderr } = await admin('domains', 'reconcile', ...more, '--json');
  expect(stderr).toBe('');
  return [code, JSON.parse(stdout)];
};
const nothing = { missing: [], unused: [], broken: [], repaired: false };

/** The number of certificates of all domains. */
async function certificates(): Promise<number> {
  const response = await fetch(service.awsApi, {
    method: 'POST',
    headers: { 'X-Amz-Target': 'CertificateManager.ListCertificates' },
    body: '{}',
  });
  return ((await response.json()) as { CertificateSummaryList: object[] }).CertificateSummaryList.length;
}

test('admin domains reconcile finds missing and unused certificates, and --repair requests or deletes them.', async () => {
  expect(await reconcile()).toEqual([0, nothing]);
  const { id, call, domain: own } = await service.newWorkspace();
  await call('DELETE', `/domains/${own}`);
  const domain = 'go.reconciled.example';
  await admin('domains', 'add', '--workspace', id, '--domain', domain, '--status', 'PENDING_DNS');
  expect(await reconcile()).toEqual([1, { ...nothing, missing: [domain] }]);
  expect(await certificates()).toBe(0);
  const shown = await admin('domains', 'reconcile');
  expect([shown.code, shown.stdout]).toEqual([
    1,
    expect.stringMatching(/^missing +go\.reconciled\.example\nunused +-\nbroken +-\n/),
  ]);
  expect(await reconcile('--repair')).toEqual([0, { ...nothing, missing: [domain], repaired: true }]);
  expect((await call('GET', `/domains/${domain}`)).body.certificate).toMatchObject({ status: 'PENDING_VALIDATION' });
  const listed = await admin('domains', 'list', '--workspace', id);
  expect(listed.stdout).toMatch(
    /^certificate +PENDING_VALIDATION\nrecords +CNAME _\w+\.go\.reconciled\.example _\w+\.\S+\ndetail +-$/m,
  );
  expect(await reconcile()).toEqual([0, nothing]);

  await call('DELETE', `/domains/${domain}`);
  expect(await reconcile()).toEqual([1, { ...nothing, unused: [domain] }]);
  expect(await certificates()).toBe(1);
  expect(await reconcile('--repair')).toEqual([0, { ...nothing, unused: [domain], repaired: true }]);
  expect([await reconcile(), await certificates()]).toEqual([[0, nothing], 0]);
});

test("The smoke test's step for a managed domain names the records to set, passes once they are set, and leaves nothing behind.", async () => {
  const { call, key, domain: own } = await service.newWorkspace();
  await call('DELETE', `/domains/${own}`);
  const { baseUrl } = service;
  const domain = 'go.spare.example';
  const told: string[] = [];
  const records: Record<string, object> = {};
  const step = steps.find(({ name }) => name === 'managed domain');
  const made = {
    links: new Map(),
    tags: new Set<string>(),
    webhooks: new Set<string>(),
    domains: new Set<string>(),
    clicks: new Map(),
  };
  const { certificateKey } = await import('../../../lambdas/store/table/keys.ts');
  const { updateItem } = await import('../../../lambdas/store/table/writes.ts');
  const { failedCondition, isPresent } = await import('../../../lambdas/store/table/expressions.ts');
  const said = await step?.run(
    {
      client: linksClient({ baseUrl, apiKey: key }),
      fetch,
      visit: visitsOf(baseUrl),
      baseUrl,
      apiKey: key,
      managedDomain: domain,
      // Somebody sets the record at once.
      tell: (line) => {
        const [, type = '', name = '', value = ''] = /^set this record: (\S+) (\S+) (\S+)$/.exec(line) ?? [];
        told.push(`${type} ${name}`);
        records[name] = { [type]: [value] };
        writeFileSync(service.dnsFile, JSON.stringify(records));
      },
      // AWS is not asked again within seconds, so time passes.
      wait: async () => {
        const past = { text: 'SET #checkedAt = :past', values: { ':past': 1 } };
        await failedCondition(updateItem(certificateKey(domain), past, isPresent));
      },
      isStopped: () => false,
    },
    { ...made, domain: '' },
  );
  expect(told).toEqual([`TXT _links.${domain}`, expect.stringMatching(`^CNAME _\\w+\\.${domain}$`), `CNAME ${domain}`]);
  expect(said).toMatch(/^go\.spare\.example, after \d+ seconds/);
  const domains = (await call('GET', '/domains')).body.domains.map((one: { domain: string }) => one.domain);
  expect(domains).not.toContain(domain);
  expect((await call('GET', '/links')).body.links).toEqual([]);
  expect([made.domains.size, made.links.size]).toEqual([0, 0]);
  // Hourly runs delete what was made in AWS. One leaves a domain alone while an earlier run has its lease.
  const afterRun = async () => {
    await service.invoke('manage-domains', { isHourly: true });
    return certificates();
  };
  await expect.poll(afterRun).toBe(0);
});
