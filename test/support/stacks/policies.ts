import { readFileSync } from 'node:fs';
import type { Table } from '../../../lambdas/store/table/tables.ts';

/** The parts of a synthesised template that tests look into. */
export type Template = {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Export?: { readonly Name: unknown }; readonly Value: unknown }>>;
};

type Resource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
};

export type Statement = {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

export const readTemplate = (file: string): Template => JSON.parse(readFileSync(file, 'utf8'));

/** The resources of a type, with their logical ids. */
export const resourcesOf = ({ Resources }: Template, type: string) =>
  Object.entries(Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties }]) => ({ id, properties: Properties }));

/**
 * The functions of a template, each with the statements of its role.
 *
 * @throws Error if a role has policies outside it, whose statements would be missed.
 */
export function functionsOf(template: Template) {
  const outside = ['Policy', 'ManagedPolicy'].flatMap((type) => resourcesOf(template, `AWS::IAM::${type}`));
  return resourcesOf(template, 'AWS::Lambda::Function').map(({ id, properties }) => {
    const role: string = properties.Role['Fn::GetAtt'][0];
    const { ManagedPolicyArns, Policies } = template.Resources[role]?.Properties ?? {};
    const more = outside.filter(({ properties: { Roles } }) => JSON.stringify(Roles).includes(`"${role}"`));
    if (ManagedPolicyArns || more.length) throw new Error(`the role of ${id} has policies outside it, which are not read here`);
    const statements: Statement[] = Policies.flatMap(
      ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
    );
    return { id, properties, statements };
  });
}

/** The code's name of the table that a resource of a policy, or an environment variable, is imported from. */
export function tableIn(value: unknown): Table {
  const text = JSON.stringify(value);
  const [found, ...others] = (['Links', 'Activity', 'Secrets'] as const).filter((table) => {
    // The secrets are in the stack of their functions.
    const start = table === 'Secrets' ? '"' : 'Links-[\\w-]+-Data:ExportsOutput(Ref|FnGetAtt)';
    return new RegExp(`${start}${table.toLowerCase()}[0-9A-F]{8}`).test(text);
  });
  if (!found || others.length > 0) throw new Error(`not one table: ${text}`);
  return found;
}

/**
 * The rights of statements on the tables' items, without reading streams. The leading key is `*` if a statement names
 * none.
 */
export const tableStatements = (statements: readonly Statement[]) =>
  statements.flatMap(({ Action, Resource, Condition }) => {
    const actions = [Action]
      .flat()
      .filter((action) => /^dynamodb:(?!DescribeStream|ListStreams|GetRecords|GetShard)/.test(action));
    const leadingKeys = [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? '*'].flat();
    if (actions.length === 0) return [];
    const index = JSON.stringify(Resource).match(/\/index\/(\w+)/)?.[1];
    return [{ actions, table: tableIn(Resource), leadingKeys, index, condition: Condition }];
  });
