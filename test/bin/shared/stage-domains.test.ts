import { describe, expect, test } from 'vitest';
import { domainToStart, domainToTry, labelOf, type Owner, stageDomains } from '../../../bin/shared/stage-domains.ts';

const aws = 'abc.execute-api.eu-central-1.amazonaws.com';

const ownedBy = (workspaceId: string, canUse = true): Owner => ({ workspaceId, name: workspaceId.toUpperCase(), canUse });
const owned = (...entries: readonly (readonly [string, Owner])[]) => new Map(entries);

describe('The smoke test finds a domain, and a workspace if every domain has one', () => {
  test.for([
    ['an exact name that is free', ['go.example.com'], owned(), { domain: 'go.example.com' }],
    [
      'the first exact name that is free',
      ['go.example.com', 'to.example.com'],
      owned(['go.example.com', ownedBy('ws_1')]),
      { domain: 'to.example.com' },
    ],
    [
      'exact names, all taken: the first one, as a guest',
      ['go.example.com', 'to.example.com'],
      owned(['go.example.com', ownedBy('ws_1')], ['to.example.com', ownedBy('ws_2')]),
      { domain: 'go.example.com', owner: ownedBy('ws_1') },
    ],
    [
      'exact names, all taken, and the first one not active',
      ['go.example.com', 'to.example.com'],
      owned(['go.example.com', ownedBy('ws_1', false)], ['to.example.com', ownedBy('ws_2')]),
      { domain: 'to.example.com', owner: ownedBy('ws_2') },
    ],
    [
      'a wildcard, although an exact name is free',
      ['go.example.com', '*.links.example.com', '!api.links.example.com'],
      owned(),
      { domain: 'smoke-1.links.example.com' },
    ],
    ["AWS's own name, which is free", [aws], owned(), { domain: aws }],
    ["AWS's own name, which a workspace has", [aws], owned([aws, ownedBy('ws_1')]), { domain: aws, owner: ownedBy('ws_1') }],
    [
      "an exact name that is taken, and AWS's own name, which is free",
      ['go.example.com', aws],
      owned(['go.example.com', ownedBy('ws_1')]),
      { domain: aws },
    ],
    ['a name that its workspace cannot use', [aws], owned([aws, ownedBy('ws_1', false)]), undefined],
    ['every name, as on a laptop', ['*'], owned(), { domain: 'smoke-1.localhost' }],
  ] as const)('%s', ([, served, owners, expected]) => {
    expect(domainToTry(served, owners, 'smoke-1')).toEqual(expected);
  });
});

describe('A new workspace starts with a domain of the stage', () => {
  const served = ['go.example.com', '*.links.example.com', aws, '!acme.links.example.com'];

  test('The names come in the order of the settings, wildcards with the label, without a name of the API.', () => {
    expect(stageDomains(served, 'zen')).toEqual(['go.example.com', 'zen.links.example.com', aws]);
    expect(stageDomains(served, 'acme')).toEqual(['go.example.com', aws]);
    expect(stageDomains(['*'], 'acme')).toEqual(['acme.localhost']);
  });

  test.for([
    ['the first one, if nobody has any', owned(), undefined, 'go.example.com'],
    ['the first one that nobody has', owned(['go.example.com', ownedBy('ws_1')]), undefined, 'zen.links.example.com'],
    ['the one that it has already', owned(['zen.links.example.com', ownedBy('ws_2')]), 'ws_2', 'zen.links.example.com'],
    [
      'none, if others have them all',
      owned(...stageDomains(served, 'zen').map((name) => [name, ownedBy('ws_1')] as const)),
      'ws_2',
      undefined,
    ],
  ] as const)('%s', ([, owners, workspaceId, expected]) => {
    expect(domainToStart(stageDomains(served, 'zen'), owners, workspaceId)).toBe(expected);
  });

  test.for([
    ['Acme & Co.', 'acme-co'],
    ['  Bücher Ärger ', 'bucher-arger'],
    ['日本', 'links'],
    ['x'.repeat(100), 'x'.repeat(40)],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ] as const)('Below a wildcard, "%s" is %s.', ([name, label]) => {
    expect(labelOf(name)).toBe(label);
  });
});
