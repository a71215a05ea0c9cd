import { AsyncLocalStorage } from 'node:async_hooks';

/** What log lines say of the request that they belong to: ids, and never a key, a URL or an address. */
export type LoggedRequest = {
  /** The gateway's id of the request, which its response has too. */
  readonly requestId: string;
  readonly workspaceId?: string;
  readonly keyId?: string;
};

const requests = /* @__PURE__ */ new AsyncLocalStorage<LoggedRequest>();

/** Does the work of a request. Like its author, it belongs to the whole work, so that no line forgets to name it. */
export const asLoggedRequest = <T>(request: LoggedRequest, work: () => Promise<T>): Promise<T> => requests.run(request, work);

/** The request whose work this is; nothing for events and schedules. Lambda's own id is in every line anyway. */
export const loggedRequest = (): Partial<LoggedRequest> => requests.getStore() ?? {};
