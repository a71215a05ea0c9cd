/** How many may work at once: of one caller, and of all. */
export type Limits = { readonly each: number; readonly all: number };

/** Who waits, and in which of its lines: those of a caller take turns, too. */
export type Whose = { readonly caller: string; readonly line?: string };

/**
 * Lets callers work side by side, within the limits. The others wait: the next place goes to a caller with the fewest at work, in rotation,
 * and there to the next of its lines, in rotation. So a newcomer waits for no crowd that came before it.
 *
 * @returns a function that waits for a turn, and resolves to one that ends it.
 */
export function turns({ each, all }: Limits): (whose: Whose) => Promise<() => void> {
  const working = new Map<string, number>();
  // In the order in which they are next.
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

  /** At most one: an end makes room for no more. */
  function beginNext(): void {
    if (total === all) return;
    const callers = [...waiting.keys()].filter((caller) => atWork(caller) < each);
    const fewest = Math.min(...callers.map(atWork));
    const caller = callers.find((one) => atWork(one) === fewest) ?? '';
    const lines = waiting.get(caller);
    const [line = '', queue] = lines?.entries().next().value ?? [];
    const begin = queue?.shift();
    if (!lines || !queue || !begin) return;
    // What is put in again is last.
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
