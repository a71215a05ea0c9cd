import { AsyncLocalStorage } from 'node:async_hooks';
import { type Author, theService } from '../core/history/author.ts';

const authors = /* @__PURE__ */ new AsyncLocalStorage<Author>();

/**
 * Runs `work` in an author's name. Like the deadline, the author applies to everything that `work` calls, so it need
 * not be passed on.
 */
export const asAuthor = <T>(author: Author, work: () => Promise<T>): Promise<T> => authors.run(author, work);

/** The author of this work; without `asAuthor`, the service itself, as in a sweep. */
export const currentAuthor = (): Author => authors.getStore() ?? theService;
