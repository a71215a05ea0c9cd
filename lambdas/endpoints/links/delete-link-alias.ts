import { pathParameter } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { aliasRemoval } from '../../http/links/remove-alias.ts';

const remove = aliasRemoval();

export const handler = endpoint({}, (call) => remove(call, pathParameter(call.event, 'slug')));
