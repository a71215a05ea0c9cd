import type { SignIn } from '../core/sign-in/sign-in.ts';
import { type ApiEvent, receivedAt } from '../http/api-event.ts';
import { logoutAddress, type ProviderCall } from '../outbound/provider.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { originOf } from '../runtime/request-origin.ts';
import { setting } from '../runtime/settings.ts';

let parsed: SignIn | undefined;
export const signInSetting = (): SignIn => {
  parsed ??= JSON.parse(setting('SIGN_IN')) as SignIn;
  return parsed;
};

/** The path of the service before `/sign-in`, such as `/dev`; empty if the API has a domain of its own. */
export function rootOf({ requestContext: { path } }: ApiEvent): string {
  const root = path.slice(0, path.indexOf('/sign-in'));
  // People are redirected to addresses that begin with it, and `//` would lead to another site.
  return /^\/[\w-]+$/.test(root) ? root : '';
}

export const callOf = (event: ApiEvent): ProviderCall => ({
  signIn: signInSetting(),
  redirectUri: `${originOf(event)}${rootOf(event)}/sign-in/callback`,
  receivedAt: receivedAt(event),
});

/**
 * Where a person who has signed out here signs out at the provider, too; null if the stage does not want that, or the
 * provider has no such address or does not answer, which must not prevent signing out here.
 */
export async function continueAt(event: ApiEvent): Promise<string | null> {
  if (signInSetting().logout === 'here') return null;
  try {
    return await logoutAddress(callOf(event), `${originOf(event)}${rootOf(event)}/console`);
  } catch (error) {
    console.warn({ message: 'somebody was signed out only here', ...loggedRequest(), reason: (error as Error).message });
    return null;
  }
}
