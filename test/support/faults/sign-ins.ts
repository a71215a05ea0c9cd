import { expect } from 'vitest';
import { RequestError } from '../../../lambdas/core/errors.ts';
import { newPersonId } from '../../../lambdas/core/ids.ts';
import { signInAttempts, signInsPerPerson } from '../../../lambdas/core/limits.ts';
import { proofIn } from '../../../lambdas/core/sign-in/proof.ts';
import { addressLimitKey } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../http/invoke.ts';
import { newIdentity, newPerson, newTeam } from '../things/members.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  get,
  query,
  remove,
  type Scenario,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

let made = 0;

/** Somebody who is signed in, and a workspace that has invited them. */
async function withInvited() {
  // Without a provider that would be asked where people sign out.
  process.env.SIGN_IN = JSON.stringify({ logout: 'here' });
  const team = await newTeam(store);
  const identity = newIdentity();
  const person = await store.rememberPerson(identity, Date.now());
  const { secret: cookie, session } = await store.createSession(person.id, Date.now());
  const { member, secret } = await team.invite(person.email, 'editor');
  /** Sends a request with the session's cookie, from a page of this origin. */
  const send = async (method: string, path: string, budget: number, body?: object, pathParameters?: object): Promise<Answer> => {
    const { handler } = await import('../../../lambdas/sign-in/sign-in.ts');
    const headers = {
      Cookie: [`__Host-links-session=${cookie}`],
      'Sec-Fetch-Site': ['same-origin'],
      'Content-Type': ['application/json'],
    };
    const event = {
      httpMethod: method,
      resource: path,
      pathParameters,
      multiValueHeaders: headers,
      body: body ? JSON.stringify(body) : null,
      requestContext: { requestId: 'r', requestTimeEpoch: Date.now(), path },
    };
    const answer = await handler(event as never, contextWith(budget));
    return { status: answer.statusCode, body: answer.body && JSON.parse(answer.body), headers: answer.headers ?? {} };
  };
  const removeMember = () => store.removeMember(team.workspaceId, member.id, { keys: 'keep', keptDays: 1 });
  const isActive = async () => (await store.membershipsOf(person.id)).some(({ state }) => state === 'active');
  const keys = async () =>
    (await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${team.workspaceId}#SIGNINKEYS`, between: ['0', '~'] }))).length;
  const isSignedIn = async () => (await store.findSession(cookie, Date.now())) !== undefined;
  return { ...team, identity, person, session, secret, send, removeMember, isActive, keys, isSignedIn };
}

/** A request that shows the signed-in person. */
const showing: Scenario = {
  calls: [get, get, query, batchGet],
  arrange: async () => {
    const { send, person, secret, workspaceId } = await withInvited();
    await store.acceptInvitation(person, secret, Date.now());
    let shown: Answer | undefined;
    return {
      act: async (budget) => {
        const answer = await send('GET', '/sign-ins/current', budget);
        if (answer.status === 200) shown = answer;
        return answer;
      },
      check: async () =>
        expect(shown?.body).toMatchObject({ person: { id: person.id }, workspaces: [{ id: workspaceId, state: 'active' }] }),
    };
  },
};

/** Makes a key. Meanwhile, the person signs out: there is no key that was made after that. */
const keyCreation: Scenario = {
  calls: [get, batchGet, get, transact],
  succeeds: 201,
  arrange: async () => {
    const { send, person, secret, session, workspaceId, keys } = await withInvited();
    await store.acceptInvitation(person, secret, Date.now());
    let before = 0;
    return {
      act: (budget) => send('POST', '/sign-ins/current/keys', budget, { workspaceId }),
      check: async () => expect(await keys()).toBeGreaterThanOrEqual(1),
      meanwhile: async () => {
        before = await keys();
        await store.endSession(session.id);
      },
      checkBoth: async ({ status }) => expect([status, await keys()]).toEqual([before === 1 ? 201 : 401, before]),
    };
  },
};

/** Accepts an invitation. Meanwhile, an owner removes the person, who stays removed. */
const acceptance: Scenario = {
  calls: [get, get, batchGet, transact],
  arrange: async () => {
    const { send, secret, removeMember, isActive } = await withInvited();
    let wasActive = false;
    return {
      act: (budget) => send('POST', '/sign-ins/current/invitations', budget, { secret }),
      check: async () => expect(await isActive()).toBe(true),
      meanwhile: async () => {
        wasActive = await isActive();
        await removeMember();
      },
      checkBoth: async ({ status }) => expect([status, await isActive()]).toEqual([wasActive ? 200 : 404, false]),
    };
  },
};

/** Accepts an invitation as a member, whom it raises. Meanwhile, an owner removes that member. */
const raise: Scenario = {
  calls: [get, get, batchGet, get, transact],
  arrange: async () => {
    const { send, person, secret, workspaceId, isActive } = await withInvited();
    const rule = { workspaceId, role: 'viewer' } as const;
    await store.joinWorkspace({ ...person, email: `former.${person.email}` }, rule, Date.now());
    const role = async () => (await store.membershipsOf(person.id))[0]?.role;
    let wasRaised = false;
    return {
      act: (budget) => send('POST', '/sign-ins/current/invitations', budget, { secret }),
      check: async () => expect(await role()).toBe('editor'),
      meanwhile: async () => {
        wasRaised = (await role()) === 'editor';
        const [{ memberId = '' } = {}] = await store.membershipsOf(person.id);
        await store.removeMember(workspaceId, memberId, { keys: 'keep', keptDays: 1 });
      },
      // Unless it is used up, the invitation brings them back as the one whom it invites.
      checkBoth: async ({ status }) => expect([status, await isActive()]).toEqual([200, !wasRaised]),
    };
  },
};

/** Signs out. Meanwhile, the same person signs out in another tab. */
const signingOut: Scenario = {
  calls: [get, remove],
  arrange: async () => {
    const { send, session, isSignedIn } = await withInvited();
    return {
      act: (budget) => send('DELETE', '/sign-ins/current', budget),
      check: async () => expect(await isSignedIn()).toBe(false),
      meanwhile: () => store.endSession(session.id),
      checkBoth: async ({ status }) => expect([status, await isSignedIn()]).toEqual([200, false]),
    };
  },
};

/** Shows the sessions of a person. Meanwhile, one of them ends. */
const listing: Scenario = {
  calls: [get, get, query],
  arrange: async () => {
    const { send, person, session } = await withInvited();
    const { session: other } = await store.createSession(person.id, Date.now());
    let shown: string[] = [];
    return {
      act: async (budget) => {
        const answer = await send('GET', '/sign-ins', budget);
        if (answer.status === 200) shown = (answer.body as { signIns: { id: string }[] }).signIns.map(({ id }) => id);
        return answer;
      },
      check: async () => expect(new Set(shown)).toEqual(new Set([session.id, other.id])),
      meanwhile: () => store.endSession(other.id),
      checkBoth: async ({ status }) => expect([status, shown]).toEqual([200, expect.arrayContaining([session.id])]),
    };
  },
};

/** Ends another session of the person. Meanwhile, it signs out by itself. */
const endingOne: Scenario = {
  calls: [get, get, remove],
  succeeds: 204,
  repeated: [404],
  arrange: async () => {
    const { send, person, isSignedIn } = await withInvited();
    const { session: other } = await store.createSession(person.id, Date.now());
    const isThere = async () => (await store.listSessions(person.id, Date.now())).some(({ id }) => id === other.id);
    return {
      act: (budget) => send('DELETE', '/sign-ins/{id}', budget, undefined, { id: other.id }),
      check: async () => expect([await isThere(), await isSignedIn()]).toEqual([false, true]),
      meanwhile: () => store.endSession(other.id),
      checkBoth: async ({ status }) => expect([[204, 404].includes(status), await isThere()]).toEqual([true, false]),
    };
  },
};

/** Ends all sessions of the person. Meanwhile, they sign in elsewhere: that session may go on, and no other one does. */
const endingAll: Scenario = {
  calls: [get, query, transact],
  repeated: [401],
  arrange: async () => {
    const { send, person, isSignedIn } = await withInvited();
    await store.createSession(person.id, Date.now());
    const left = async () => (await store.listSessions(person.id, Date.now())).map(({ id }) => id);
    let begun = '';
    return {
      act: (budget) => send('DELETE', '/sign-ins', budget),
      check: async () => expect(await left()).toEqual([]),
      meanwhile: async () => {
        begun = (await store.createSession(person.id, Date.now())).session.id;
      },
      checkBoth: async ({ status }) => {
        expect([status, await isSignedIn()]).toEqual([200, false]);
        expect([[], [begun]]).toContainEqual(await left());
      },
    };
  },
};

/**
 * The provider signs a person out, everywhere or of one session. Meanwhile, a sign-in that it has confirmed before begins a
 * session, or is refused. Nobody is signed in afterwards.
 */
const providersLogout = (isOfOne: boolean): Scenario => ({
  calls: isOfOne ? [get, query, transact] : [get, get, query, transact],
  repeated: [400],
  arrange: async () => {
    const identity = newIdentity();
    const person = await store.rememberPerson(identity, Date.now());
    const { issuer, subject } = identity;
    const [sid, issuedAt] = [isOfOne ? `sid-${++made}` : undefined, Math.floor(Date.now() / 1_000)];
    const proof = proofIn({ iss: issuer, iat: issuedAt, sid });
    await store.createSession(person.id, Date.now(), { proof });
    const told = { issuer, subject, sid, jti: `jti-${++made}`, issuedAt: issuedAt + 1, endsAt: issuedAt + 120 };
    const check = async () => expect(await store.listSessions(person.id, Date.now())).toEqual([]);
    return {
      act: (budget) =>
        answerOf(budget, async () => {
          if (!(await store.logOut(told, Date.now()))) throw new RequestError('bad_request', 'it was used before');
        }),
      check,
      meanwhile: () => store.createSession(person.id, Date.now(), { proof }).catch(() => undefined),
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
});

/** Somebody signs in, with a session of the provider. Meanwhile, the provider signs them out: nobody is signed in afterwards. */
const overtakenSignIn: Scenario = {
  calls: [get, query, transact],
  arrange: async () => {
    const identity = newIdentity();
    const person = await store.rememberPerson(identity, Date.now());
    const { issuer } = identity;
    const [sid, issuedAt] = [`sid-${++made}`, Math.floor(Date.now() / 1_000)];
    const proof = proofIn({ iss: issuer, iat: issuedAt, sid });
    const sessions = async () => (await store.listSessions(person.id, Date.now())).length;
    return {
      act: (budget) => answerOf(budget, () => store.createSession(person.id, Date.now(), { proof })),
      check: async () => expect(await sessions()).toBeGreaterThanOrEqual(1),
      meanwhile: () =>
        store.logOut(
          { issuer, subject: undefined, sid, jti: `jti-${++made}`, issuedAt: issuedAt + 1, endsAt: issuedAt + 120 },
          Date.now(),
        ),
      checkBoth: async ({ status }) => expect([[200, 401].includes(status), await sessions()]).toEqual([true, 0]),
    };
  },
};

/** Signs in with as many sessions as a person may have. Meanwhile, they do so elsewhere: two others end. */
const crowding: Scenario = {
  calls: [get, query, transact],
  arrange: async () => {
    const personId = newPersonId();
    const start = Date.now();
    for (let made = 0; made < signInsPerPerson; made++) await store.createSession(personId, start + made);
    const at = start + signInsPerPerson;
    const begin = () => store.createSession(personId, at);
    let mine = '';
    const check = async () => {
      const ids = (await store.listSessions(personId, at)).map(({ id }) => id);
      expect([ids.length, ids.includes(mine)]).toEqual([signInsPerPerson, true]);
    };
    return {
      act: (budget) =>
        answerOf(budget, async () => {
          mine = (await begin()).session.id;
        }),
      check,
      meanwhile: begin,
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
};

/** Somebody signs in, whom a rule lets into a workspace. Meanwhile, they do so in another tab, and are the same person. */
const admission = (isKnown: boolean): Scenario => ({
  calls: isKnown
    ? [get, transact, batchGet, get, query, batchGet, update, get, query, transact]
    : [get, transact, batchGet, query, transact, query, batchGet, get, query, transact],
  arrange: async () => {
    const { admit } = await import('../../../lambdas/sign-in/admit.ts');
    process.env.HISTORY_DAYS = '30';
    const { workspaceId, there } = await newTeam(store);
    const identity = newIdentity();
    const rule = { workspaceId, role: 'viewer', isKnown: true } as const;
    // By the clock of the gateway, each is later than the one before.
    let at = Date.now();
    const signIn = async () => (await admit(identity, [rule], ++at, { hours: 12, replaces: [] })).secret;
    if (isKnown) await signIn();
    let secret = '';
    const check = async () => {
      const session = await store.findSession(secret, at);
      const person = await store.rememberPerson(identity, at);
      expect(session?.personId).toBe(person.id);
      expect([...(await there()).values()]).toMatchObject([{ email: identity.email, role: 'viewer', state: 'active' }]);
      expect(await store.membershipsOf(person.id)).toHaveLength(1);
    };
    return {
      act: (budget) =>
        answerOf(budget, async () => {
          secret = await signIn();
        }),
      check,
      meanwhile: signIn,
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
});

/** Somebody signs in who has left the group of a rule. Meanwhile, an owner changes their role: then they stay. */
const leavingGroup: Scenario = {
  calls: [get, get, transact],
  arrange: async () => {
    const { workspaceId, join, as } = await newTeam(store);
    const owner = await join('owner');
    const person = await newPerson();
    const follow = (role?: 'viewer') => store.followRules(person, { workspaceId, role, isKnown: true }, Date.now(), 30);
    await follow('viewer');
    const role = async () => (await store.membershipsOf(person.id))[0]?.role;
    const [{ memberId = '' } = {}] = await store.membershipsOf(person.id);
    let wasThere = false;
    return {
      act: (budget) => answerOf(budget, () => follow()),
      check: async () => expect(await role()).toBeUndefined(),
      meanwhile: async () => {
        wasThere = (await role()) !== undefined;
        await as(owner).update({ id: memberId, body: { role: 'editor' } });
      },
      checkBoth: async ({ status }) => expect([status, await role()]).toEqual([200, wasThere ? 'editor' : undefined]),
    };
  },
};

/** Somebody signs in who has come back into the group of a rule. Meanwhile, they do so in another tab. */
const returning: Scenario = {
  calls: [batchGet, query, transact],
  arrange: async () => {
    const { workspaceId, there } = await newTeam(store);
    const person = await newPerson();
    const follow = (role?: 'viewer') => store.followRules(person, { workspaceId, role, isKnown: true }, Date.now(), 30);
    await follow('viewer');
    await follow();
    const check = async () => {
      expect([...(await there()).values()]).toMatchObject([{ personId: person.id, state: 'active' }]);
      expect(await store.membershipsOf(person.id)).toHaveLength(1);
    };
    return {
      act: (budget) => answerOf(budget, () => follow('viewer')),
      check,
      meanwhile: () => follow('viewer'),
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
};

/** Somebody who is a member of nothing signs in again. Meanwhile, they do so in another tab, with another address. */
const unjoined: Scenario = {
  calls: [get, transact, query, get, query, transact],
  arrange: async () => {
    const { admit } = await import('../../../lambdas/sign-in/admit.ts');
    const identity = newIdentity();
    let at = Date.now();
    const signIn = (email: string) => admit({ ...identity, email }, [], ++at, { hours: 12, replaces: [] });
    const { id } = await store.rememberPerson(identity, at);
    let later = '';
    const email = async () => (await store.getPerson(id))?.email;
    return {
      act: (budget) => answerOf(budget, () => signIn('ours@example.com')),
      check: async () => expect(await email()).toBe('ours@example.com'),
      meanwhile: async () => {
        later = 'theirs@example.com';
        await signIn(later);
      },
      checkBoth: async ({ status }) => expect([status, await email()]).toEqual([200, later]),
    };
  },
};

/** Takes an attempt of an address. Meanwhile, somebody else there takes one, too. */
const attempt: Scenario = {
  calls: [update],
  settles: true,
  arrange: async () => {
    const key = addressLimitKey(`f${++made}`, 'begin');
    const take = (token: string) => store.takeSlotAt(key, token, Date.now(), signInAttempts, false);
    const token = `ours-${made}`;
    const taken = async () =>
      Object.entries((await store.getItem(key)) ?? {}).filter(([name, by]) => /^by\d+$/.test(name) && by !== '-');
    return {
      act: (budget) => answerOf(budget, () => take(token)),
      check: async () => expect(await taken()).toHaveLength(1),
      meanwhile: () => take('theirs'),
      checkBoth: async ({ status }) => expect([status, (await taken()).length]).toEqual([200, 2]),
    };
  },
};

/** Signing in, and requests with a session instead of a key. */
export const signInScenarios: Scenarios = {
  'sign-in:show': showing,
  'sign-in:key': keyCreation,
  'sign-in:accept': acceptance,
  'sign-in:accept, as a member': raise,
  'sign-in:sign-out': signingOut,
  'sign-in:list': listing,
  'sign-in:end one': endingOne,
  'sign-in:end all': endingAll,
  'sign-in:crowded': crowding,
  'sign-in:logout of a session': providersLogout(true),
  'sign-in:logout of a person': providersLogout(false),
  'sign-in:overtaken by a logout': overtakenSignIn,
  'sign-in:first': admission(false),
  'sign-in:again': admission(true),
  'sign-in:again, without a workspace': unjoined,
  'sign-in:left the group': leavingGroup,
  'sign-in:back in the group': returning,
  'sign-in:attempt': attempt,
};
