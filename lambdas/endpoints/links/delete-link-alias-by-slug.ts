import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { aliasRemoval } from '../../http/links/remove-alias.ts';

/** A slug with a slash has no place in a path. */
export const query = z.strictObject({ slug: z.string() });

const remove = aliasRemoval();

export const handler = endpoint({ query }, (call) => remove(call, call.query.slug));
