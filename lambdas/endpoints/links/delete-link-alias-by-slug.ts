import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { aliasRemoval } from '../../http/links/remove-alias.ts';

/** The slug is a query parameter, because a slug with a slash doesn't fit into one part of a path. */
export const query = z.strictObject({ slug: z.string() });

const remove = aliasRemoval();

export const handler = endpoint({ query }, (call) => remove(call, call.query.slug));
