import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visitorHash } from '../../../lambdas/core/visitor/visitor-hash.ts';
import { daySecretKey } from '../../../lambdas/store/table/keys.ts';
import { connect } from '../../../local/database/dynamodb.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { countUniques, dayAt, giveSecrets, visitorsOf } from '../../support/things/unique.ts';
import { startVisits } from '../../support/things/visit.ts';

// Without the day's secret, no stored data lead to a visitor. The stream of Activity has the items that are put there, and
// backups have the items of Links and Activity (`test/lib/redirect-stack.test.ts`).

let store: Store;
beforeAll(async () => {
  store = await useStore();
  countUniques();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

type Attribute = Readonly<Record<string, unknown>>;

/** All items of a table. */
async function everything(table: 'TABLE_NAME' | 'ACTIVITY_TABLE_NAME' | 'SECRETS_TABLE_NAME') {
  const { call, close } = connect(String(process.env.AWS_ENDPOINT_URL_DYNAMODB));
  const { Items } = await call<{ Items: Readonly<Record<string, Attribute>>[] }>('Scan', {
    TableName: String(process.env[table]),
    ConsistentRead: true,
  });
  close();
  return Items;
}

const now = Date.now();
const noon = Date.parse(dayAt(now)) + 12 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;
const phone = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
const anna = { sourceIp: '203.0.113.77', userAgent: phone('26.6.1') };
const ben = { sourceIp: '2001:db8:77:1::42', userAgent: phone('26.6.2') };

type Person = typeof anna;

/** Two visits of two links on two days, by one person. Returns the links' ids. */
async function visitsOf({ sourceIp, userAgent }: Person) {
  const workspace = await store.newWorkspace();
  const links = (await store.newLinks(workspace, 2)).map(({ link }) => link);
  for (const receivedAt of [noon, noon + dayMs]) {
    for (const { shortCode } of links) {
      const visit = await startVisits();
      const headers = { 'user-agent': userAgent };
      await visit({ host: workspace.domain.host, path: `/${shortCode}`, sourceIp, headers, receivedAt });
    }
  }
  return links.map(({ id }) => id);
}

/** The items of a link's clicks, without hashes, and without values that are random or differ between visits. */
async function leftBy(linkIds: readonly string[]) {
  const items = await everything('ACTIVITY_TABLE_NAME');
  return linkIds.map((id) =>
    items
      .filter(({ pk }) => String(pk?.S).includes(id))
      .map(({ pk, sk, workspaceId: _, host: __, slug: ___, visitor: ____, ...others }) => ({
        kind: String(pk?.S).split('#')[0],
        day: String(sk?.S).slice(0, 10),
        parts: String(sk?.S).split('#').length,
        ...others,
      }))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
}

/** Texts with which somebody could search for a person without the secret. */
function namesOf({ sourceIp, userAgent }: Person, linkIds: readonly string[]): string[] {
  const known = [
    sourceIp,
    userAgent,
    ...['', ' ', '|', '\n'].flatMap((by) => [sourceIp + by + userAgent, userAgent + by + sourceIp]),
  ];
  const withLink = linkIds.flatMap((id) => known.flatMap((text) => [id + text, text + id]));
  const listed = linkIds.map((id) => JSON.stringify([id, sourceIp, userAgent]));
  return [...known, ...withLink, ...listed, JSON.stringify([sourceIp, userAgent])].flatMap((text) => [
    text,
    ...(['md5', 'sha1', 'sha256', 'sha512'] as const).flatMap((name) =>
      (['hex', 'base64', 'base64url'] as const).map((encoding) => hash(name, text, encoding).slice(0, 16)),
    ),
  ]);
}

test('No attribute of any table has an address, a user agent, or a hash of them that can be computed without the secret.', async () => {
  await giveSecrets(dayAt(noon), dayAt(noon + dayMs));
  const linkIds = await visitsOf(anna);
  const everywhere = (
    await Promise.all([everything('TABLE_NAME'), everything('ACTIVITY_TABLE_NAME'), everything('SECRETS_TABLE_NAME')])
  ).flat();
  const stored = JSON.stringify(everywhere);
  expect(stored).toContain('visitor');
  for (const name of namesOf(anna, linkIds)) expect(stored).not.toContain(name);
  // A guessed secret finds nothing either.
  for (const secret of ['', ...linkIds, dayAt(noon)]) {
    for (const id of linkIds) expect(stored).not.toContain(visitorHash(secret, id, { ...anna, agent: anna }));
  }
});

test('The items of two people differ only in random values and hashes, so address and user agent leave no other trace.', async () => {
  await giveSecrets(dayAt(noon), dayAt(noon + dayMs));
  const [ofAnna, ofBen] = [await visitsOf(anna), await visitsOf(ben)];
  expect(await leftBy(ofAnna)).toEqual(await leftBy(ofBen));
  const [one] = await leftBy(ofAnna);
  expect(one?.filter(({ kind }) => kind === 'CLICK')).toHaveLength(2);
});

test('The same person has four different hashes on two links and two days, and others with a new secret.', async () => {
  const linkIds = await visitsOf(anna);
  const hashes = (await Promise.all(linkIds.map(visitorsOf))).flat().map(({ visitor }) => visitor);
  expect(new Set(hashes).size).toBe(4);
  for (const one of hashes) expect(one).toMatch(/^[0-9A-Za-z]{22}$/);
  const day = dayAt(noon);
  const hashUnder = async () => {
    await giveSecrets(day);
    const { secret } = (await store.getItem(daySecretKey(day))) ?? {};
    return visitorHash(String(secret), linkIds[0] ?? '', { ...anna, agent: anna });
  };
  expect(hashes).toContain(await hashUnder());
  await store.deleteItem(daySecretKey(day));
  expect(hashes).not.toContain(await hashUnder());
});
