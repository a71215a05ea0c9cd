import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Claim, Domain } from '../../../../lambdas/core/domain/domain.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

let made = 0;
const newHost = () => `go${++made}.acme.example`;
const newWorkspaceIds = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await store.createWorkspace('One', async () => 'gateway')).id));
const code = (error: { code?: string }) => error.code;

describe('A domain', () => {
  test('A domain belongs to one workspace, however many prove it at once, and no claim of that workspace remains.', async () => {
    const host = newHost();
    const ids = await newWorkspaceIds(20);
    const claims = await Promise.all(ids.map((id) => store.claimDomain(id, host)));
    const proofs = await Promise.all(ids.map((id, index) => store.proveOwnership(id, claims[index] as Claim).catch(code)));
    const won = proofs.flatMap((proof) => (typeof proof === 'object' ? proof : []));
    expect(won).toMatchObject([{ host, status: 'PENDING_DNS' }]);
    expect(proofs.filter((proof) => proof === 'domain_taken')).toHaveLength(19);
    expect(await store.getDomain(host)).toEqual(won[0]);
    expect(await store.listDomains(won[0]?.workspaceId ?? '')).toEqual(won);
  });

  test('Proving a domain many times at once in one workspace proves it once.', async () => {
    const [id = ''] = await newWorkspaceIds(1);
    const claim = await store.claimDomain(id, newHost());
    const proofs = await Promise.all(Array.from({ length: 10 }, () => store.proveOwnership(id, claim)));
    expect(new Set(proofs.map(({ domainId }) => domainId)).size).toBe(1);
  });

  test('A domain that is deleted and proven again has a new id and no former links, and activating the old one fails.', async () => {
    const workspace = await store.newWorkspace();
    const { host, domainId } = workspace.domain;
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    await store.deleteLink(found);
    await store.deleteDomain(workspace.workspaceId, host);
    // A link that was created at the same moment as the deletion.
    await store.putItem(store.linkItem(found.link));
    const again = await store.proveOwnership(workspace.workspaceId, await store.claimDomain(workspace.workspaceId, host));
    expect(again.domainId).not.toBe(domainId);
    expect(await store.getLinkAt(domainId, found.link.shortCode)).toEqual(found.link);
    expect(await store.getLinkAt(again.domainId, found.link.shortCode)).toBeUndefined();
    // An activation of the old domain does not change the new one.
    await expect(store.activate(workspace.domain)).rejects.toMatchObject({ code: 'not_found' });
    expect((await store.getDomain(host))?.status).toBe('PENDING_DNS');
  });

  test('A deleted domain is gone, even if its claim was proven at the same moment.', async () => {
    for (let round = 0; round < 15; round++) {
      const host = newHost();
      const [id = ''] = await newWorkspaceIds(1);
      const claim = await store.claimDomain(id, host);
      const [deletion, proof] = await Promise.all([
        store.deleteDomain(id, host).catch(code),
        store.proveOwnership(id, claim).catch(code),
      ]);
      expect(deletion).toBeUndefined();
      if (typeof proof !== 'object') expect(proof).toBe('not_found');
      expect(await store.getDomain(host)).toBeUndefined();
      expect(await store.findDomain(id, host)).toBeUndefined();
    }
  });

  test('A withdrawn domain claim proves nothing, even after its workspace claims the domain again.', async () => {
    const [id = ''] = await newWorkspaceIds(1);
    const host = newHost();
    const claim = await store.claimDomain(id, host);
    await store.deleteDomain(id, host);
    expect(await store.proveOwnership(id, claim).catch(code)).toBe('not_found');
    const anew = await store.claimDomain(id, host);
    expect(anew.token).not.toBe(claim.token);
    expect(await store.proveOwnership(id, claim).catch(code)).toBe('not_found');
    expect(await store.getDomain(host)).toBeUndefined();
    expect(await store.findDomain(id, host)).toEqual(anew);
  });

  test('The operator cannot turn a proven domain back into a claim.', async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    expect(await store.addDomain(workspaceId, domain.host, 'PENDING_OWNERSHIP')).toBeUndefined();
    expect(await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'CLAIM#' }))).toEqual([]);
    expect(await store.findDomain(workspaceId, domain.host)).toMatchObject({ status: 'ACTIVE' });
  });

  test('A domain whose claim reappears beside its proof is listed once, and deleting it removes both.', async () => {
    const [id = ''] = await newWorkspaceIds(1);
    const host = newHost();
    const claim = await store.claimDomain(id, host);
    const [item] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${id}`, skPrefix: 'CLAIM#' }));
    const domain = await store.proveOwnership(id, claim);
    await store.putItem(item as Parameters<typeof store.putItem>[0]);
    expect(await store.listDomains(id)).toEqual([domain]);
    expect(await store.findDomain(id, host)).toEqual({ ...domain, lastCheck: null });
    await store.deleteDomain(id, host);
    expect(await store.listDomains(id)).toEqual([]);
    expect(await store.findDomain(id, host)).toBeUndefined();
  });

  test.for(['findDomain', 'deleteDomain'] as const)(
    '%s makes the same reads for a domain that another workspace has or claims as for an unknown one.',
    async (look) => {
      const [id = '', other = ''] = await newWorkspaceIds(2);
      const [nobodys, claimed, others] = [newHost(), newHost(), newHost()];
      await store.claimDomain(other, claimed);
      await store.proveOwnership(other, await store.claimDomain(other, others));
      const readsOf = async (host: string) => {
        const { commands, accesses } = await underFaults(
          () => undefined,
          async () => void (await store[look](id, host).catch(code)),
        );
        return { commands, accesses };
      };
      expect(await readsOf(others)).toEqual(await readsOf(nobodys));
      expect(await readsOf(claimed)).toEqual(await readsOf(nobodys));
    },
  );

  test('A domain is found, and deleted, even if its claim is proven between the two reads of one batch.', async () => {
    const [id = ''] = await newWorkspaceIds(1);
    for (const look of [store.findDomain, store.deleteDomain]) {
      const host = newHost();
      const claim = await store.claimDomain(id, host);
      let isSplit = false;
      const stop = intercept(async (operation, input, next) => {
        if (isSplit || operation !== 'BatchGetItem') return next(input);
        isSplit = true;
        // The result of a batch that reads the domain before the proof and the claim after it.
        const output = await next(input);
        await store.proveOwnership(id, claim);
        return { ...output, Responses: {} };
      });
      const found = await look(id, host).finally(stop);
      if (look === store.findDomain) expect(found).toMatchObject({ host, status: 'PENDING_DNS' });
      else expect(await store.getDomain(host)).toBeUndefined();
    }
  });

  /** Repeats a deletion with these limits for each request until it is done or refused. */
  async function untilAnswered(workspaceId: string, host: string, most: { links: number; units?: number }) {
    for (let requests = 1; ; requests++) {
      const answer = await store.deleteDomain(workspaceId, host, undefined, most).catch(code);
      if (answer !== 'domain_deletion_in_progress') return { answer, requests };
    }
  }

  test('However few links each request checks, and however few units it reads, only a domain without links is deleted.', async () => {
    const links = fc.array(fc.constantFrom('own', 'other', 'other', 'other'), { maxLength: 9 });
    // The first page takes half a unit.
    const units = fc.constantFrom(0.5, 1_000);
    await fc.assert(
      fc.asyncProperty(links, fc.integer({ min: 1, max: 10 }), units, async (places, most, units) => {
        const workspace = await store.newWorkspace();
        const { workspaceId, domain: other } = workspace;
        const own = await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, newHost()));
        for (const index of places) await store.newLinks({ ...workspace, domain: index === 'own' ? own : other }, 1);
        const { answer, requests } = await untilAnswered(workspaceId, own.host, { links: most, units });
        expect(answer).toBe(places.includes('own') ? 'domain_in_use' : undefined);
        // The first request finds more links than it may check; then all are checked again. If the units are used up, one
        // more request finds that there are no more links.
        const isOne = units === 0.5 ? places.length === 0 : places.length < most;
        const pages = units === 0.5 ? Math.ceil(places.length / most) : Math.floor(places.length / most);
        if (!places.includes('own')) expect(requests).toBe(isOne ? 1 : 2 + pages);
        const there = await store.getDomain(own.host);
        expect(there).toEqual(places.includes('own') ? own : undefined);
      }),
      { numRuns: runs(4) },
    );
  });

  test('A domain takes no new links while its deletion is in progress, until the deletion is cancelled.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId, domain } = workspace;
    const { host } = await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, newHost()));
    await store.newLinks(workspace, 5);
    const own = () => store.getOwnDomain(workspaceId, host).catch(code);
    for (const keep of [
      async () => store.keepDomain((await store.getDomain(host)) as Domain),
      () => store.addDomain(workspaceId, host, 'ACTIVE'),
    ]) {
      expect(await own()).toMatchObject({ host });
      for (let requests = 0; requests < 3; requests++) {
        expect(await store.deleteDomain(workspaceId, host, undefined, { links: 2 }).catch(code)).toBe(
          'domain_deletion_in_progress',
        );
        expect(await own()).toBe('domain_deletion_in_progress');
        expect(await store.getOwnDomain(workspaceId, domain.host)).toEqual(domain);
      }
      await keep();
    }
    const [found] = await store.newLinks({ ...workspace, domain: (await own()) as Domain }, 1);
    // It is found because the check starts again instead of continuing where the last deletion ended.
    expect((await untilAnswered(workspaceId, host, { links: 2 })).answer).toBe('domain_in_use');
    if (found) await store.deleteLink(found);
    expect((await untilAnswered(workspaceId, host, { links: 2 })).answer).toBeUndefined();
  });

  test('If a deletion is cancelled and a link created, its last request deletes nothing, and the next deletion finds the link and ends.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const own = await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, newHost()));
    await store.newLinks(workspace, 3);
    const last = async () => {
      for (let requests = 0; requests < 3; requests++)
        await store.deleteDomain(workspaceId, own.host, undefined, { links: 2 }).catch(code);
    };
    let isKept = false;
    const stop = intercept(async (operation, input, next) => {
      if (!isKept && operation === 'TransactWriteItems' && JSON.stringify(input).includes('"Delete"')) {
        isKept = true;
        // Before the last write of a deletion that has checked all links.
        await store.keepDomain((await store.getDomain(own.host)) as Domain);
        await store.newLinks({ ...workspace, domain: own }, 1);
      }
      return next(input);
    });
    await last().finally(stop);
    expect(isKept).toBe(true);
    expect(await store.getOwnDomain(workspaceId, own.host)).toEqual(own);
    expect((await untilAnswered(workspaceId, own.host, { links: 2 })).answer).toBe('domain_in_use');
    expect(await store.getOwnDomain(workspaceId, own.host)).toEqual(own);
  });

  test('A domain is deleted exactly once by many requests at once, and each of them ends.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const own = await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, newHost()));
    await store.newLinks(workspace, 7);
    const answers = await Promise.all(Array.from({ length: 5 }, () => untilAnswered(workspaceId, own.host, { links: 2 })));
    expect(answers.filter(({ answer }) => answer === undefined)).toHaveLength(1);
    expect(answers.filter(({ answer }) => answer === 'not_found')).toHaveLength(4);
    expect(await store.getDomain(own.host)).toBeUndefined();
  });

  test.for(['its settings change', 'its status changes'])(
    'The history has the last values of a deleted domain, even if %s right before the deletion.',
    async (what) => {
      const { workspaceId, domain } = await store.newWorkspace();
      let isChanged = false;
      const stop = intercept(async (operation, input, next) => {
        if (!isChanged && operation === 'TransactWriteItems' && JSON.stringify(input).includes('"Delete"')) {
          isChanged = true;
          if (what === 'its status changes') await store.addDomain(workspaceId, domain.host, 'PENDING_DNS');
          else await store.updateDomain(domain, { rootUrl: 'https://example.com/' }, { isExact: false });
        }
        return next(input);
      });
      await store.deleteDomain(workspaceId, domain.host).finally(stop);
      expect([isChanged, await store.getDomain(domain.host)]).toEqual([true, undefined]);
      const entries = await Array.fromAsync(store.query({ pk: `HISTORY#${domain.domainId}`, between: ['D', 'Z'] }));
      const lost = what === 'its status changes' ? { status: 'PENDING_DNS' } : { rootUrl: 'https://example.com/' };
      const [[field, from] = ['', '']] = Object.entries(lost);
      expect(entries.filter(({ action }) => action === 'domain.deleted')).toMatchObject([
        { changes: { [field]: { from, to: null } } },
      ]);
    },
  );

  test('A domain with a link cannot be deleted, and links elsewhere do not prevent the deletion of another domain.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId, domain } = workspace;
    const [found] = await store.newLinks(workspace, 1);
    const other = await store.proveOwnership(workspaceId, await store.claimDomain(workspaceId, newHost()));
    await expect(store.deleteDomain(workspaceId, domain.host)).rejects.toMatchObject({ code: 'domain_in_use' });
    await store.deleteDomain(workspaceId, other.host);
    if (found) await store.deleteLink(found);
    await store.deleteDomain(workspaceId, domain.host);
    expect(await store.listDomains(workspaceId)).toEqual([]);
  });

  test("Whatever workspaces do at the same time, none can take, move or delete another's domain.", async () => {
    const action = fc.record({ who: fc.nat(2), what: fc.constantFrom('claim', 'prove', 'delete', 'activate') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (steps) => {
          const host = newHost();
          const ids = await newWorkspaceIds(3);
          for (const step of steps) {
            const before = await store.getDomain(host);
            await Promise.all(
              step.map(async ({ who, what }) => {
                const id = ids[who] ?? '';
                const mine = await store.findDomain(id, host);
                if (what === 'claim') await store.claimDomain(id, host).catch((error) => expect(error.code).toBe('domain_taken'));
                else if (what === 'prove' && mine?.status === 'PENDING_OWNERSHIP') {
                  await store
                    .proveOwnership(id, mine)
                    .catch((error) => expect(['domain_taken', 'not_found']).toContain(error.code));
                } else if (what === 'activate' && mine && mine.status !== 'PENDING_OWNERSHIP') {
                  await store.activate(mine).catch((error) => expect(error.code).toBe('not_found'));
                } else if (what === 'delete') {
                  await store.deleteDomain(id, host).catch((error) => expect(error.code).toBe('not_found'));
                }
              }),
            );
            const after = await store.getDomain(host);
            const mayGo = step.some(({ who, what }) => what === 'delete' && ids[who] === before?.workspaceId);
            if (before && !mayGo) expect(after?.domainId).toBe(before.domainId);
            // Each workspace sees the domain if it owns it, and otherwise at most its own claim.
            for (const id of ids) {
              const seen = await store.findDomain(id, host);
              if (after?.workspaceId === id) expect(seen).toEqual({ ...after, lastCheck: null });
              else expect(['PENDING_OWNERSHIP', undefined]).toContain(seen?.status);
            }
          }
        },
      ),
      { numRuns: runs(2) },
    );
  });
});
