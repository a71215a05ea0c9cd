import { trimmed } from '../../../lambdas/core/invisible.ts';
import { completed } from '../service/destination.ts';
import type { DomainDetails } from '../service/types.ts';

/** What the form shows of a domain: texts, and switches. */
export type Values = {
  readonly rootUrl: string;
  readonly notFoundUrl: string;
  readonly expiredUrl: string;
  readonly accentColor: string;
  readonly logoUrl: string;
  readonly appleAppSiteAssociation: string;
  readonly assetLinks: string;
  readonly publicQr: boolean;
  readonly allowIndexing: boolean;
};

const urls = ['rootUrl', 'notFoundUrl', 'expiredUrl', 'logoUrl'] as const;
const files = ['appleAppSiteAssociation', 'assetLinks'] as const;
const pretty = (file: unknown): string => (file === null ? '' : JSON.stringify(file, null, 2));

export const valuesOf = (domain: DomainDetails): Values => ({
  rootUrl: domain.rootUrl ?? '',
  notFoundUrl: domain.notFoundUrl ?? '',
  expiredUrl: domain.expiredUrl ?? '',
  accentColor: domain.accentColor ?? '',
  logoUrl: domain.logoUrl ?? '',
  appleAppSiteAssociation: pretty(domain.appleAppSiteAssociation),
  assetLinks: pretty(domain.assetLinks),
  publicQr: domain.publicQr,
  allowIndexing: domain.allowIndexing,
});

/** The changed fields of a domain, as the API takes them, and the files that are not JSON. */
export function changesOf(
  values: Values,
  domain: DomainDetails,
): { readonly changes: Record<string, unknown>; readonly malformed: readonly string[] } {
  const before = valuesOf(domain);
  const names = (Object.keys(values) as (keyof Values)[]).filter((name) => values[name] !== before[name]);
  const malformed: string[] = [];
  const changes = Object.fromEntries(
    names.map((name) => {
      const value = values[name];
      if (typeof value !== 'string') return [name, value];
      if (trimmed(value) === '') return [name, null];
      if (urls.some((url) => url === name)) return [name, completed(value)];
      if (!files.some((file) => file === name)) return [name, trimmed(value)];
      try {
        return [name, JSON.parse(value)];
      } catch {
        malformed.push(name);
        return [name, null];
      }
    }),
  );
  return { changes, malformed };
}
