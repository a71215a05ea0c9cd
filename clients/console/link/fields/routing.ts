import { timeOfLocal } from '../../parts/time.ts';
import { completed } from '../../service/destination.ts';
import type { Link } from '../../service/types.ts';

// Rules and variants in the form's shape. Unknown parts from the API, such as a newer condition, are kept and sent
// unchanged.

/** The conditions of rules, with the kind of their fields. */
export const conditionKinds = {
  country: 'countries',
  device: 'choices',
  os: 'choices',
  language: 'languages',
  after: 'time',
  before: 'time',
  query: 'parameters',
} as const;
export type ConditionName = keyof typeof conditionKinds;

export const conditionNames = Object.keys(conditionKinds) as readonly ConditionName[];

export const isKnown = (name: string): name is ConditionName => Object.hasOwn(conditionKinds, name);

/**
 * A condition: a list of values, or an instant in the API's format. Parameters are pairs, because two may have the same
 * name while somebody types. An unknown condition has the API's value.
 */
export type ConditionValue = { readonly name: string; readonly value: unknown };
export type Parameter = readonly [name: string, value: string];

/** Unknown fields, as the API has them. */
type Rest = Readonly<Record<string, unknown>>;

export type RuleValue = {
  readonly url: string;
  readonly conditions: readonly ConditionValue[];
  readonly rest: Rest;
};

export type VariantValue = {
  readonly id: string;
  readonly url: string;
  /** As it was entered. */
  readonly weight: string;
  readonly rest: Rest;
};

/** The initial value of a new condition. */
export const emptyCondition = (name: ConditionName): ConditionValue => {
  const kind = conditionKinds[name];
  return { name, value: kind === 'time' ? '' : kind === 'parameters' ? [['', '']] : [] };
};

export const ruleValues = (rules: Link['rules']): readonly RuleValue[] =>
  rules.map(({ url, if: conditions, ...rest }) => ({
    url,
    conditions: Object.entries(conditions).map(([name, value]) => ({
      name,
      value: name === 'query' ? Object.entries(value as Readonly<Record<string, string>>) : value,
    })),
    rest,
  }));

/** The rules as the API takes them. Parameters without a name are left out. */
export const rulesOf = (rules: readonly RuleValue[]): readonly object[] =>
  rules.map(({ url, conditions, rest }) => ({
    ...rest,
    if: Object.fromEntries(conditions.map(({ name, value }) => [name, sentCondition(name, value)])),
    url: completed(url),
  }));

function sentCondition(name: string, value: unknown): unknown {
  if (name !== 'query') return value;
  return Object.fromEntries((value as readonly Parameter[]).filter(([parameter]) => parameter !== ''));
}

/** The instant in a field for local dates and times, or '' if it is empty. */
export const instantOf = (local: string): string => timeOfLocal(local) ?? '';

export const variantValues = (variants: Link['variants']): readonly VariantValue[] =>
  variants.map(({ id, url, weight, ...rest }) => ({ id, url, weight: String(weight), rest }));

/**
 * The variants as the API takes them. A weight that isn't a number is sent unchanged, so that the API says what is
 * wrong.
 */
export const variantsOf = (variants: readonly VariantValue[]): readonly object[] =>
  variants.map(({ id, url, weight, rest }) => {
    const number = weight.trim() === '' ? Number.NaN : Number(weight);
    return { ...rest, id: id.trim(), url: completed(url), weight: Number.isFinite(number) ? number : weight };
  });

/**
 * Adds a variant. The first time, it adds two, because one alone divides nothing: the first is the link's own
 * destination.
 */
export function withVariant(variants: readonly VariantValue[], url: string): readonly VariantValue[] {
  const id = 'abcdefghijklmnopqrstuvwxyz'.split('').find((letter) => !variants.some((one) => one.id === letter)) ?? '';
  const added: VariantValue = { id, url: '', weight: '1', rest: {} };
  if (variants.length > 0) return [...variants, added];
  return [
    { id: 'a', url, weight: '1', rest: {} },
    { ...added, id: 'b' },
  ];
}

/** The share of the visitors that a variant gets, between 0 and 1; undefined if the weights are invalid. */
export function shareOf(variant: VariantValue, variants: readonly VariantValue[]): number | undefined {
  const weights = variants.map(({ weight }) => Number(weight));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const share = Number(variant.weight) / sum;
  return Number.isFinite(share) && weights.every((weight) => weight >= 0) ? share : undefined;
}

/** A list with one of its items moved up (-1) or down (1). */
export function moved<Item>(items: readonly Item[], index: number, by: -1 | 1): readonly Item[] {
  const item = items[index];
  const other = items[index + by];
  if (item === undefined || other === undefined) return items;
  return items.with(index, other).with(index + by, item);
}
