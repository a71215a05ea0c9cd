import type { Input, Operation, Output } from './operations.ts';

/**
 * Sees one attempt of a store call, and passes it on with `next`, or not. For tests and benchmarks: they inject faults
 * here, and count calls and units, whichever transport sends them.
 */
export type Interceptor = (
  operation: Operation,
  input: Input<Operation>,
  next: (input: Input<Operation>) => Promise<Output<Operation>>,
) => Promise<Output<Operation>>;

const interceptors = new Set<Interceptor>();

/**
 * Adds an interceptor around those that were added before. Does nothing if it was added already.
 *
 * @returns removes it.
 */
export function intercept(interceptor: Interceptor): () => void {
  interceptors.add(interceptor);
  return () => void interceptors.delete(interceptor);
}

/** Passes an attempt through all interceptors. */
export function intercepted<O extends Operation>(
  operation: O,
  input: Input<O>,
  send: (input: Input<O>) => Promise<Output<O>>,
): Promise<Output<O>> {
  let next = send as (input: Input<Operation>) => Promise<Output<Operation>>;
  for (const interceptor of interceptors) {
    const inner = next;
    next = (input) => interceptor(operation, input, inner);
  }
  return next(input) as Promise<Output<O>>;
}
