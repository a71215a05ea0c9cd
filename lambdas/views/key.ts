import { authorIn } from '../core/history/author.ts';
import type { ApiKey } from '../core/key/api-key.ts';

/** An API key as the API returns it, without the key itself. */
export const keyView = (key: ApiKey) => ({
  id: key.id,
  prefix: key.prefix,
  name: key.name,
  permissions: [...key.permissions],
  createdAt: key.createdAt,
  createdBy: authorIn(key.createdBy).actor,
  expiresAt: key.expiresAt ?? null,
  lastUsedAt: key.lastUsedAt ?? null,
  revokedAt: key.revokedAt ?? null,
  replaces: key.replaces ?? null,
  replacedBy: key.replacedBy ?? null,
});

/** An API key with the key itself, as only the response that creates it shows it. */
export const newKeyView = ({ key, ...apiKey }: ApiKey & { readonly key: string }) => ({ ...keyView(apiKey), key });
