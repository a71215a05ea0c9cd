import { AsyncLocalStorage } from 'node:async_hooks';
import { type Author, theService } from '../domain/author.ts';

const authors = /* @__PURE__ */ new AsyncLocalStorage<Author>();

/**
 * Does work in an author's name. Like the deadline, the author belongs to the whole request, so no call in between can
 * forget to pass it on.
 */
export const asAuthor = <T>(author: Author, work: () => Promise<T>): Promise<T> => authors.run(author, work);

/** Whose work this is: without `asAuthor`, the service's own, such as a sweep. */
export const currentAuthor = (): Author => authors.getStore() ?? theService;
