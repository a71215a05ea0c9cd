import type { Statement } from './policies.ts';

/** A call as IAM sees it. @property context the condition keys that the service sets, and their values */
export type IamRequest = {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
};

/** The values of references in templates, as in a deployment. */
const known: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-central-1',
  'AWS::AccountId': '111122223333',
};

/** The text of a value of a template. @param imported what all imports are */
function textOf(value: unknown, imported: string): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::Join': join, 'Fn::ImportValue': name } = value as Record<string, unknown>;
  if (typeof Ref === 'string' && known[Ref] !== undefined) return known[Ref];
  if (Array.isArray(join)) return (join[1] as unknown[]).map((part) => textOf(part, imported)).join(String(join[0]));
  if (name !== undefined) return imported;
  // Something of the same stack, which only an exact comparison could tell apart.
  return JSON.stringify(value);
}

/** `*` stands for any characters: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html */
const isLike = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`).test(text);

type Values = readonly string[];

/** The operators by their names: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html */
const operators: Readonly<Record<string, (wanted: Values, given: Values | undefined) => boolean>> = {
  StringEquals: (wanted, given) => given?.some((one) => wanted.includes(one)) ?? false,
  StringEqualsIfExists: (wanted, given) => given === undefined || given.some((one) => wanted.includes(one)),
  StringLikeIfExists: (wanted, given) =>
    given === undefined || given.some((one) => wanted.some((pattern) => isLike(pattern, one))),
  StringLike: (wanted, given) => given?.some((one) => wanted.some((pattern) => isLike(pattern, one))) ?? false,
  // "true" if the key must be absent: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html#Conditions_Null
  Null: ([isAbsent], given) => (given === undefined) === (isAbsent === 'true'),
  // "also returns true if there are no context keys in the request":
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
  'ForAllValues:StringEquals': (wanted, given = []) => given.every((one) => wanted.includes(one)),
};

/**
 * The statements that allow a request, according to IAM's documents.
 *
 * @param imported the value of everything that the template imports.
 * @throws Error if a condition has an operator that is not known here.
 */
export const allowing = (statements: readonly Statement[], request: IamRequest, imported: string): Statement[] =>
  statements.filter(
    ({ Action, Resource, Condition = {} }) =>
      [Action].flat().includes(request.action) &&
      [Resource].flat().some((one) => isLike(textOf(one, imported), request.resource)) &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, value]) => {
          const test = operators[operator];
          if (!test) throw new Error(`the operator ${operator} is not known`);
          const given = request.context?.[key];
          return test(
            [value].flat().map((one) => textOf(one, imported)),
            given === undefined ? undefined : [given].flat(),
          );
        }),
      ),
  );
