import type { Role } from '../../lambdas/core/member/roles.ts';

/** Somebody who can sign in with the laptop's provider, without a password. */
export type ProviderPerson = {
  /** The subject, which never changes. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Undefined if the provider does not say. */
  readonly emailVerified?: boolean;
};

/** The client's id at the laptop's provider. It is a public client: it has no secret. */
export const clientId = 'links';

/** The members of the demo workspace. */
export const demoPeople: readonly (ProviderPerson & { readonly role: Role })[] = [
  { id: 'olivia', name: 'Olivia Owner', email: 'olivia@demo.example', emailVerified: true, role: 'owner' },
  { id: 'eddie', name: 'Eddie Editor', email: 'eddie@demo.example', emailVerified: true, role: 'editor' },
  { id: 'vera', name: 'Vera Viewer', email: 'vera@demo.example', emailVerified: true, role: 'viewer' },
];
