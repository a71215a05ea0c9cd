import type { Attempt } from './faults.ts';

type Item = Readonly<Record<string, unknown>>;
type Expressions = { readonly UpdateExpression?: string };
type Write = Expressions & { readonly Item?: Item; readonly Key?: Item };
type AnyInput = Write & {
  readonly TransactItems?: readonly Record<string, Write>[];
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly unknown[] }[];
};

/** A write of an item: its key, and the attributes that it sets. */
type Written = { readonly pk: string; readonly sk: string; readonly sets: readonly string[]; readonly kind: string };

const writtenBy = (kind: string, { Item, Key, UpdateExpression = '' }: Write): Written => {
  const { pk, sk } = Item ?? Key ?? {};
  return { kind, pk: String(pk), sk: String(sk), sets: Item ? Object.keys(Item) : assigned(UpdateExpression) };
};

/** The attributes that an update expression names. */
const assigned = (expression: string): string[] => [...expression.matchAll(/#(\w+)/g)].map(([, name = '']) => name);

function writesOf({ command, input }: Attempt): Written[] {
  const { TransactItems, Statements, ...single } = input as AnyInput;
  if (TransactItems) {
    // A check writes nothing.
    const writes = TransactItems.flatMap((parts) => Object.entries(parts)).filter(([kind]) => kind !== 'ConditionCheck');
    return writes.map(([kind, part]) => writtenBy(kind, part));
  }
  if (Statements) {
    return Statements.map(({ Statement, Parameters }) => {
      const sets = [...Statement.matchAll(/'(\w+)': \?/g)].map(([, name = '']) => name);
      const valueOfName = (name: string) => String(Parameters[sets.indexOf(name)]);
      return { kind: 'Insert', pk: valueOfName('pk'), sk: valueOfName('sk'), sets };
    });
  }
  return /^(Put|Update|Delete)Item$/.test(command) ? [writtenBy(command.replace('Item', ''), single)] : [];
}

/** Whether the item is a link, a tag, a domain, a key or a member. */
const isSubject = ({ pk, sk }: Written): boolean =>
  (pk.startsWith('LINK#') && sk === 'LINK') ||
  (pk.startsWith('WORKSPACE#') && /^(TAG|CLAIM)#/.test(sk)) ||
  (pk.startsWith('DOMAIN#') && sk === 'DOMAIN') ||
  pk.startsWith('KEY#') ||
  sk.startsWith('MEMBER#');

/**
 * Nobody sets the counts of tags or the last use of keys, and the history leaves out what a member's provider says of them.
 * So changing them needs no author.
 */
const exempt = [['linkCount'], ['lastUsedAt'], ['email', 'emailVerified', 'emailAt', 'name', 'lastSignedInAt']];
const isExempt = ({ kind, sets }: Written): boolean =>
  kind === 'Update' && exempt.some((names) => names.join() === [...new Set(sets)].join());

/**
 * A claim of a domain reserves nothing, so its end is no deletion. A member is deleted only by an erasure, after the removal,
 * which is recorded.
 */
const endsUnrecorded = ({ sk }: Written): boolean => /^(CLAIM|MEMBER)#/.test(sk);

/**
 * The writes of links, tags, domains and keys that do not say who made them, or that delete one without an entry of the
 * history in the same transaction.
 */
export const unsignedIn = (attempts: readonly Attempt[]): Written[] =>
  attempts.map(writesOf).flatMap((together) => {
    const isRecorded = together.some(({ pk, sets }) => pk.startsWith('HISTORY#') && sets.includes('by'));
    return together.filter((written) => {
      if (!isSubject(written) || isExempt(written)) return false;
      if (written.kind === 'Delete') return !isRecorded && !endsUnrecorded(written);
      return !written.sets.includes('by') && !written.sets.includes('createdBy');
    });
  });
