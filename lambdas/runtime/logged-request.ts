import { AsyncLocalStorage } from 'node:async_hooks';

/** What log lines say about their request: ids, and never a key, a URL or an address. */
export type LoggedRequest = {
  /** The gateway's id of the request, which its response has too. */
  readonly requestId: string;
  readonly workspaceId?: string;
  readonly keyId?: string;
};

const requests = /* @__PURE__ */ new AsyncLocalStorage<LoggedRequest>();

/** Runs `work` for a request, which all log lines of the work then name. */
export const asLoggedRequest = <T>(request: LoggedRequest, work: () => Promise<T>): Promise<T> => requests.run(request, work);

/** The request that this work is for; empty for events and schedules. Lambda's own id is in every line anyway. */
export const loggedRequest = (): Partial<LoggedRequest> => requests.getStore() ?? {};
