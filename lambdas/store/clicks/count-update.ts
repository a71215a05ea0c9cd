import type { Item } from '../table/client.ts';
import type { Expression } from '../table/expressions.ts';

/** An update of a counter: the attributes that it adds to and sets, and its condition. */
export type CountUpdate = {
  readonly add?: Readonly<Record<string, number>>;
  readonly set?: Item;
  readonly condition: Expression;
};

/** The expression of an update. Attributes get aliases, because their names may have any characters. */
export function updateExpression({ add = {}, set = {} }: Omit<CountUpdate, 'condition'>): Expression {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const alias = (name: string) => {
    const short = `a${Object.keys(names).length}`;
    names[`#${short}`] = name;
    return short;
  };
  const assigned = (attributes: Readonly<Record<string, unknown>>, sign: string) =>
    Object.entries(attributes).map(([name, value]) => {
      const short = alias(name);
      values[`:${short}`] = value;
      return `#${short}${sign}:${short}`;
    });
  const clause = (word: string, parts: readonly string[]) => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : []);
  const text = [...clause('ADD', assigned(add, ' ')), ...clause('SET', assigned(set, ' = '))].join(' ');
  return { text, names, values };
}
