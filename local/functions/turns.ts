/** How many may work at once, for one caller and for all together. */
export type Limits = { readonly each: number; readonly all: number };

/** A caller, and one of its lines. The lines of a caller take turns too. */
export type Whose = { readonly caller: string; readonly line?: string };

/**
 * Lets callers work concurrently, within the limits. Free capacity goes to the waiting caller with the fewest at work,
 * and within that caller to its next line, both in rotation. So a new caller does not wait for a crowd that came before
 * it.
 *
 * @returns a function that waits for a turn and resolves to a function that ends it.
 */
export function turns({ each, all }: Limits): (whose: Whose) => Promise<() => void> {
  const working = new Map<string, number>();
  // Callers and their lines, in the order of their turns.
  const waiting = new Map<string, Map<string, (() => void)[]>>();
  const atWork = (caller: string) => working.get(caller) ?? 0;
  let total = 0;

  function add(caller: string, change: 1 | -1): void {
    total += change;
    const now = atWork(caller) + change;
    if (now === 0) working.delete(caller);
    else working.set(caller, now);
  }

  function wait({ caller, line = '' }: Whose): Promise<void> {
    const lines = waiting.get(caller) ?? new Map<string, (() => void)[]>();
    const queue = lines.get(line) ?? [];
    waiting.set(caller, lines);
    lines.set(line, queue);
    return new Promise((begin) => queue.push(begin));
  }

  /** Starts at most one, since each end makes room for one. */
  function beginNext(): void {
    if (total === all) return;
    const callers = [...waiting.keys()].filter((caller) => atWork(caller) < each);
    const fewest = Math.min(...callers.map(atWork));
    const caller = callers.find((one) => atWork(one) === fewest) ?? '';
    const lines = waiting.get(caller);
    const [line = '', queue] = lines?.entries().next().value ?? [];
    const begin = queue?.shift();
    if (!lines || !queue || !begin) return;
    // Deleting and setting a key moves it to the end of the map.
    lines.delete(line);
    if (queue.length > 0) lines.set(line, queue);
    waiting.delete(caller);
    if (lines.size > 0) waiting.set(caller, lines);
    add(caller, 1);
    begin();
  }

  return async (whose) => {
    const { caller } = whose;
    if (total < all && atWork(caller) < each) add(caller, 1);
    else await wait(whose);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      add(caller, -1);
      beginNext();
    };
  };
}
