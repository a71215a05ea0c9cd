import type { Doing, Done } from './client.ts';
import { type Client, createTag, deleteTag, linkOf, type Model, renameTag, tagOf } from './client.ts';
import {
  type Condition,
  createLink,
  deleteLink,
  getLink,
  lookUp,
  putLink,
  removeAlias,
  repeatLink,
  updateLink,
} from './links.ts';
import { listLinks, listTagLinks } from './lists.ts';

type Single = Exclude<Doing, { kind: 'import' | 'repeat-import' | 'update-many' | 'delete-many' }>;

/** Does one thing that the bulk limit does not count. */
export function doOne(model: Model, client: Client, doing: Single, condition: Condition | undefined): Promise<Done> {
  switch (doing.kind) {
    case 'create-tag':
      return createTag(client, doing.name);
    case 'rename-tag':
      return renameTag(client, tagOf(model, doing.tag), doing.name);
    case 'delete-tag':
      return deleteTag(client, tagOf(model, doing.tag));
    case 'create-link':
      return createLink(model, client, doing);
    case 'put-link':
      return putLink(model, client, doing);
    case 'repeat-link':
      return repeatLink(model, client, doing);
    case 'update-link':
      return updateLink(model, client, doing, condition);
    case 'remove-alias':
      return removeAlias(model, client, doing);
    case 'delete-link':
      return deleteLink(client, linkOf(model, doing.link), condition);
    case 'get-link':
      return getLink(client, linkOf(model, doing.link));
    case 'look-up':
      return lookUp(client, doing);
    case 'list':
      return listLinks(model, client, doing);
    case 'list-tag':
      return listTagLinks(model, client, doing);
  }
}
