import type { RedirectType } from '../../lambdas/core/link/link.ts';
import type { Rule } from '../../lambdas/core/link/rules.ts';
import type { Schemas } from '../typescript/client.ts';
import type { OwnSettings } from './own.ts';

/** A link to create. */
export type PlannedLink = {
  readonly url: string;
  /** Undefined if the service is to generate one. */
  readonly slug: string | undefined;
  readonly title: string | undefined;
  /** Undefined if the import's template or the service decides. */
  readonly redirectType: RedirectType | undefined;
  readonly tags: readonly string[];
  readonly expiresAt: string | undefined;
  /** Only if it is in the future, or the file is from this service. */
  readonly startsAt?: string | undefined;
  readonly expiredUrl?: string | undefined;
  /** The remaining visits. */
  readonly maxClicks?: number | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** Settings that only this service has. */
  readonly own?: OwnSettings | undefined;
  /** Further slugs that lead to it, in their order. */
  readonly aliases?: readonly string[] | undefined;
};

/** A row and its plan: either `link`, or the `reason` for none. Original dates and clicks are only reported. */
export type PlannedRow = {
  readonly line: number;
  readonly source: { readonly slug: string; readonly url: string; readonly createdAt: string; readonly clicks: string };
  readonly link?: PlannedLink;
  readonly reason?: string;
  /** What differs from the file, a note each. */
  readonly notes: readonly string[];
};

/** A link in the form of a bulk request: everything except its aliases. */
export function bodyOfLink({ slug, tags, aliases: _, own, ...settings }: PlannedLink): Schemas['ImportLink'] {
  const fields = { ...settings, customSlug: slug, tagNames: tags.length > 0 ? tags : undefined, ...own };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Schemas['ImportLink'];
}
