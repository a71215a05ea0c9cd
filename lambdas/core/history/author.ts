import { actorNameLength } from '../limits.ts';

/**
 * Who changes something: a program with an API key, a member, the operator with a command, or the service by itself.
 */
export type Actor =
  | { readonly type: 'key'; readonly id: string; readonly name: string | null }
  /** The name is stored only in the member's item, so that deleting that item erases the person. */
  | { readonly type: 'member'; readonly id: string; readonly name: string | null }
  /** The name is the command, such as `keys revoke`. */
  | { readonly type: 'operator'; readonly id: null; readonly name: string }
  | { readonly type: 'service'; readonly id: null; readonly name: null };

/** An actor, and the id of the request, which all its changes share. */
export type Author = { readonly actor: Actor; readonly requestId: string | null };

/** The author of changes that the service makes by itself, such as a sweep. The history omits them. */
export const theService: Author = { actor: { type: 'service', id: null, name: null }, requestId: null };

/** The part of a name that is kept. */
const shortened = (name: string | null): string => [...(name ?? '').toWellFormed()].slice(0, actorNameLength).join('');

/**
 * A key's name as the authorizer passes it to the endpoints: percent-encoded, because it is not documented which
 * characters survive the gateway.
 */
export const encodedName = (name: string): string => encodeURIComponent(shortened(name));

/** The name that the authorizer passed; null if there is none, or it isn't one. */
export function decodedName(encoded: unknown): string | null {
  try {
    return typeof encoded === 'string' ? decodeURIComponent(encoded) || null : null;
  } catch {
    return null;
  }
}

/**
 * The shape of a request's id. A client can choose it
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html), and must
 * not inject anything with it.
 */
const goodRequestId = /^[\w=+/.-]{2,64}$/;

/**
 * An author as items store it, in few bytes: the id of the key or member, or `operator` or `service`; the request's id,
 * or
 * `-` if it is missing or has another shape; and the name.
 */
export function authorText({ actor, requestId }: Author): string {
  const request = requestId !== null && goodRequestId.test(requestId) ? requestId : '-';
  return `${actor.id ?? actor.type} ${request} ${actor.type === 'member' ? '' : shortened(actor.name)}`.trimEnd();
}

/** The author in such a text. */
export function authorIn(text: string): Author {
  const [id = '', request = '-', ...words] = text.split(' ');
  const name = words.join(' ');
  const requestId = request === '-' ? null : request;
  if (id.startsWith('mbr_')) return { actor: { type: 'member', id, name: null }, requestId };
  if (id.startsWith('key_')) return { actor: { type: 'key', id, name: name || null }, requestId };
  return id === 'operator' ? { actor: { type: id, id: null, name }, requestId } : theService;
}
