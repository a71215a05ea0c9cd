import type { Agenda } from './agenda.ts';
import { lambda } from './limits.ts';

/** The account's executions, which all functions share. */
export type Executions = {
  /** Begins an execution; false if the account has none left, or has reached its limit of requests a second. */
  readonly begin: () => boolean;
  readonly end: () => void;
  readonly running: () => number;
};

/** @param most the account's limit. */
export function executions({ now }: Agenda, most: number): Executions {
  const perMs = (most * lambda.requestsPerExecution) / 1_000;
  let running = 0;
  let requests = perMs * 1_000;
  let at = 0;
  return {
    begin: () => {
      requests = Math.min(perMs * 1_000, requests + (now() - at) * perMs);
      at = now();
      if (running >= most || requests < 1) return false;
      running++;
      requests--;
      return true;
    },
    end: () => void running--,
    running: () => running,
  };
}

/** The environments of one function, each with a memory of its own. */
export type Environments<T> = {
  /** The idle one that was used last, or a new one; undefined if no more may be started now. */
  readonly take: () => { readonly environment: T; readonly isNew: boolean } | undefined;
  readonly release: (environment: T) => void;
  readonly started: () => number;
};

export function environments<T>({ now }: Agenda, create: () => T): Environments<T> {
  const { startsPerTenSeconds } = lambda;
  const idle: T[] = [];
  let [started, at] = [0, 0];
  let starts: number = startsPerTenSeconds;
  return {
    take: () => {
      const environment = idle.pop();
      if (environment) return { environment, isNew: false };
      starts = Math.min(startsPerTenSeconds, starts + ((now() - at) * startsPerTenSeconds) / 10_000);
      at = now();
      if (starts < 1) return undefined;
      starts--;
      started++;
      return { environment: create(), isNew: true };
    },
    release: (environment) => void idle.push(environment),
    started: () => started,
  };
}
