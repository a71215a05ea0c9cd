import fc from 'fast-check';
import { type Attempt, type Fault, ifPossible } from './faults.ts';

/** The mishap of one run of a function: a fault at the store call with that number, or none. */
type Mishap = { readonly kind: Fault; readonly index: number } | null;

const kinds = ['throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'] as const;

/** A mishap at one of the first store calls, mostly. @param last the highest number of a call */
export const mishapUpTo = (last: number): fc.Arbitrary<Mishap> =>
  fc.option(fc.record({ kind: fc.constantFrom<Fault>(...kinds), index: fc.nat(last) }), { freq: 2 });

/** The faults of a run's calls, for `underFaults`. After a death, no call is executed. */
export const befalling =
  (mishap: Mishap) =>
  ({ index, command }: Attempt): Fault | undefined => {
    if (!mishap || index < mishap.index) return undefined;
    if (mishap.kind.startsWith('dead')) return index === mishap.index ? mishap.kind : 'dead-before';
    return index === mishap.index ? ifPossible(mishap.kind, command) : undefined;
  };
