import type { ApiKey } from '../../core/key/api-key.ts';
import { keyView } from '../../views/key.ts';
import type { Shown } from '../entity-tag.ts';

/** An API key as responses about a single key show it. Its uses, its revocation and its replacement aren't settings. */
export const showKey = (key: ApiKey): Shown => {
  const body = keyView(key);
  const { name, permissions, expiresAt } = body;
  return { body, settings: { name, permissions, expiresAt } };
};
