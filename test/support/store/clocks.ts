import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { bulkRequests, type RateLimit } from '../../../lambdas/core/limits.ts';
import type { Slot } from '../../../lambdas/core/slots.ts';
import { useTables } from './tables.ts';

/**
 * A fault of a call: its response is lost, or the function dies before or after the table has executed it.
 */
type Mishap = 'answer-lost' | 'dies-before' | 'dies-after';

/** The course of a call: the milliseconds of the way there and back, and a fault. */
export type Trip = { readonly there?: number; readonly back?: number; readonly mishap?: Mishap | undefined };

const died = new Error('the function died');

/** AWS refuses signatures that are older: https://www.repost.aws/knowledge-center/lambda-sdk-signature */
const signatureAgeMs = 5 * 60 * 1_000;

/** When a request was signed, in milliseconds since 1970: its `X-Amz-Date` is like `20300102T030405Z`. */
const signedAt = (headers: Readonly<Record<string, string>>): number =>
  Date.parse(String(headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Replaces a request that will be refused with one that changes nothing. */
const harmless = <R extends { headers: object }>(request: R) => ({
  ...request,
  headers: { ...request.headers, 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-length': '2' },
  body: '{}',
});

function refuse(response: { statusCode: number; headers: Record<string, string>; body?: unknown }): void {
  (response.body as Readable).resume();
  const body = JSON.stringify({ __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'Signature expired' });
  Object.assign(response, { statusCode: 400, body: Readable.from([Buffer.from(body)]) });
  delete response.headers['x-amz-crc32'];
}

/** A function with a clock that may be wrong. */
export type ClockedFunction<Modules> = {
  /**
   * By how many milliseconds its clock is ahead of the table's. A test may set it at any time, as if the function was
   * thawed.
   */
  skew: number;
  /** Its own modules, which no other function shares. */
  readonly modules: Modules;
  /** Ends the work that is under way: none of its calls is made any more. */
  die(): void;
  /** Does some work. The first calls of the table go as `trips` says. Undefined if the function died. */
  run<T>(work: () => Promise<T>, trips?: readonly Trip[]): Promise<T | undefined>;
};

/** A function that takes slots of a limit, with a clock that may be wrong. */
export type LimitedFunction = ClockedFunction<unknown> & {
  /** Takes a slot for a request that has just been received, or then; or is refused. Undefined if the function died. */
  take(workspaceId: string, token: string, trips?: readonly Trip[], receivedAt?: number): Promise<Slot | undefined>;
};

/** The same as `useClocks`, for functions that take slots of the limit on imports, or of another quota. */
export async function useLimitedFunctions() {
  const clocks = await useClocks(() => import('../../../lambdas/store/limits/request-limits.ts'));
  const start = async (skew = 0, limit: RateLimit = bulkRequests): Promise<LimitedFunction> => {
    const started = await clocks.start(skew);
    return Object.assign(started, {
      take: (workspaceId: string, token: string, trips?: readonly Trip[], receivedAt = clocks.now()) =>
        started.run(() => started.modules.takeSlot('bulk', workspaceId, token, receivedAt, limit), trips),
    });
  };
  return { ...clocks, start };
}

/**
 * Prepares a table on a real engine, with a clock that the test controls, and functions with wrong clocks. The table's
 * time moves only by `wait` and by trips. `vi.restoreAllMocks` ends it.
 *
 * @param load imports the modules of a function.
 */
export async function useClocks<Modules>(load: () => Promise<Modules>) {
  await useTables();
  let now = 1_900_000_000_000;
  let calls = 0;
  const running = new AsyncLocalStorage<ClockedFunction<Modules>>();
  const clients: { destroy(): void }[] = [];
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(now + (running.getStore()?.skew ?? 0)));

  let starting: Promise<unknown> = Promise.resolve();
  /** Starts a function that has had no response from the table yet. In sequence, so that each has its own modules. */
  const start = (skew = 0): Promise<ClockedFunction<Modules>> => {
    const started = starting.then(() => startOne(skew));
    starting = started;
    return started;
  };

  const startOne = async (skew: number): Promise<ClockedFunction<Modules>> => {
    vi.resetModules();
    const [modules, { client }] = await Promise.all([load(), import('../../../lambdas/store/table/sdk-transport.ts')]);
    clients.push(client);
    let planned: Trip[] = [];
    let isDead = false;
    const wire = client.config.requestHandler;
    const handle = wire.handle.bind(wire);
    Object.assign(wire, {
      handle: async (...args: Parameters<typeof handle>) => {
        const { there = 0, back = 0, mishap } = planned.shift() ?? {};
        calls++;
        if (isDead || mishap === 'dies-before') throw died;
        now += there;
        const [request, options] = args;
        const isRefused = Math.abs(signedAt(request.headers) - now) > signatureAgeMs;
        const result = await (isRefused ? handle({ ...harmless(request) } as never, options) : handle(...args));
        if (isRefused) refuse(result.response);
        result.response.headers.date = new Date(Math.floor(now / 1_000) * 1_000).toUTCString();
        now += back;
        if (mishap === 'dies-after') throw died;
        if (mishap === 'answer-lost') throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
        return result;
      },
    });
    const self: ClockedFunction<Modules> = {
      skew,
      modules,
      die: () => {
        isDead = true;
      },
      run: (work, trips = []) =>
        running.run(self, async () => {
          planned = [...trips];
          isDead = false;
          try {
            return await work();
          } catch (error) {
            if (error === died) return undefined;
            throw error;
          }
        }),
    };
    return self;
  };

  return {
    start,
    /** Ends every function that was started. */
    stop: () => {
      for (const client of clients.splice(0)) client.destroy();
    },
    now: () => now,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    /** How many calls were made since this was called last. */
    calls: () => {
      const made = calls;
      calls = 0;
      return made;
    },
  };
}
