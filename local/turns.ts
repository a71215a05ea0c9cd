/**
 * Lets so many at a time do their work; the others wait for their turn, in order.
 *
 * @returns a function that waits for a turn, and resolves to one that ends it.
 */
export function turns(atOnce: number): () => Promise<() => void> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let ended = false;
    return () => {
      if (!ended) end();
      ended = true;
    };
  };
}
