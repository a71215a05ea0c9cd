import { attemptTag, domainTag, stageTag } from '../core/domain/certificate.ts';
import { setting } from '../runtime/settings.ts';

// The tags of what the service has made in AWS. It changes and deletes nothing without them. Its policy denies that,
// too, but cannot deny adding the tags first (lib/managed-domains.ts); the code never does that.

/** What a certificate or a custom domain name was made for. @property attempt of a certificate */
export type Made = { readonly domainId: string; readonly attempt?: string | undefined };

export const tagsFor = ({ domainId, attempt }: Made): Record<string, string> => ({
  [stageTag]: setting('REDIRECT_API_ID'),
  [domainTag]: domainId,
  ...(attempt !== undefined && { [attemptTag]: attempt }),
});

/** What a resource with these tags was made for; undefined if this stage did not make it. */
export function madeFor(tags: Readonly<Record<string, string | undefined>> = {}): Made | undefined {
  if (tags[stageTag] !== setting('REDIRECT_API_ID')) return undefined;
  return { domainId: tags[domainTag] ?? '', attempt: tags[attemptTag] };
}

/** How long a call to AWS may take, in milliseconds. */
const callMs = 8_000;

/** The options of a call. */
export const within = () => ({ abortSignal: AbortSignal.timeout(callMs) });

/** The result of a call; undefined if it fails with the error of that name. @throws other errors unchanged */
export async function orUndefined<T>(name: string, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as Error).name === name) return undefined;
    throw error;
  }
}
