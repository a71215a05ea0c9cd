import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Input, Output } from '../../../lambdas/store/table/operations.ts';

type Item = Record<string, unknown>;

const nameOf = ({ pk, sk }: Item): string => `${pk}\n${sk}`;

/**
 * Does work whose eventually consistent batch reads return outdated items: any that the item has been since the work
 * began, or none if it was missing once.
 *
 * @param choose which of that many versions a read returns, from 0, the oldest.
 */
export async function withStaleReads<T>(choose: (versions: number) => number, work: () => Promise<T>): Promise<T> {
  const versions = new Map<string, (Item | undefined)[]>();
  const remembered = (key: Item) => {
    const known = versions.get(nameOf(key)) ?? [undefined];
    versions.set(nameOf(key), known);
    return known;
  };
  const stop = intercept(async (operation, input, next) => {
    const output = await next(input);
    if (operation === 'UpdateItem') {
      const { Attributes } = output as Output<'UpdateItem'>;
      if (Attributes) remembered(Attributes).push(Attributes);
    }
    if (operation !== 'BatchGetItem') return output;
    const { RequestItems = {} } = input as Input<'BatchGetItem'>;
    const { Responses = {}, ...more } = output as Output<'BatchGetItem'>;
    const outdated = Object.entries(RequestItems).map(([table, { Keys = [], ConsistentRead }]) => {
      const found = new Map((Responses[table] ?? []).map((item) => [nameOf(item), item]));
      if (ConsistentRead) return [table, Responses[table] ?? []] as const;
      const items = Keys.map((key) => {
        const known = [...remembered(key), found.get(nameOf(key))];
        return known[choose(known.length)];
      });
      return [table, items.filter((item) => item !== undefined)] as const;
    });
    return { ...more, Responses: Object.fromEntries(outdated) } as typeof output;
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
