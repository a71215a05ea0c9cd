import { clientId, type ProviderPerson } from '../../../bin/local/demo-people.ts';
import { startProvider } from '../../../bin/local/provider.ts';
import type { SettingsInput } from '../../../lib/stages/settings.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { appOf } from './app-of.ts';
import { useOwnService } from './service.ts';

/** A service of the file's own whose people sign in with the laptop's provider, and that provider. */
export async function useSignInService(people: readonly ProviderPerson[], more: Partial<SettingsInput['signIn']> = {}) {
  const origins = ['http://127.0.0.1', 'http://localhost'];
  const reached = { baseUrl: '' };
  const provider = await startProvider(0, people, origins, (address, init) =>
    fetch(`${reached.baseUrl}${new URL(String(address)).pathname}`, init),
  );
  const { issuer } = provider;
  const service = await useOwnService(appOf(localStage(3000, { issuer, clientId, ...more })));
  reached.baseUrl = service.baseUrl;
  const store = {
    ...(await import('../../../lambdas/operator/person-erasure.ts')),
    ...(await import('../../../lambdas/store/member-changes/invitations.ts')),
    ...(await import('../../../lambdas/store/members/joining.ts')),
    ...(await import('../../../lambdas/store/members/memberships.ts')),
    ...(await import('../../../lambdas/store/people/people.ts')),
    ...(await import('../../../lambdas/store/sign-ins/sign-ins.ts')),
  };
  const stop = () => Promise.all([service.stop(), provider.stop()]);
  return { ...service, issuer, store, stop };
}
