import { type GivenByTemplate, withTemplate } from '../../lambdas/core/link/given-settings.ts';
import { utmIn, utmParameters, withUtm } from '../../lambdas/core/link/utm.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { givenBy } from '../../lambdas/core/template/given.ts';
import type { TemplateSettings } from '../../lambdas/core/template/template.ts';
import { mergeUtm } from '../../lambdas/http/links/utm.ts';
import type { PlannedLink } from './planned.ts';

// The service applies templates: a bulk request names one, and its retries get what the first attempt got. If clients
// sent a template's settings themselves, a repeated import would send different links once the template has changed, or
// merely because expiries move with time; and links without slugs would be made twice.
//
// For example, a template says `utm_campaign=spring`. Run 1 creates A (slug `a`) and B (no slug), and is killed.
// Somebody changes the template to `autumn`. Run 2 sends A again, whose slug is taken: the link there leads to A's URL
// with a campaign that A's row does not have, so it is A's, and `existing`. Run 2 sends B with the Idempotency-Key of
// run 1, since the row and the template's id are the same, and gets run 1's response.

/** The template of an import, and its settings when it was read. */
export type UsedTemplate = { readonly id: string; readonly given: GivenByTemplate };

/** Templates of a workspace, as the API and the store have them. */
export type Templates = readonly (TemplateSettings & { readonly id: string; readonly name: string })[];

/**
 * The template with that id or name, if the command names one. @throws Error with a one-line message if there is none
 */
export async function templateCalled(
  wanted: string | undefined,
  list: () => Promise<Templates>,
): Promise<UsedTemplate | undefined> {
  if (wanted === undefined) return undefined;
  const found = (await list()).find(({ id, name }) => id === wanted || foldTagName(name) === foldTagName(wanted));
  if (!found) throw new Error(`the workspace has no template with the name or id ${wanted}`);
  return usedTemplate(found);
}

export const usedTemplate = (template: Templates[number]): UsedTemplate => ({
  id: template.id,
  given: givenBy(template, Date.now()),
});

/** A link with the settings of a template, except tags. */
export function asMade(link: PlannedLink, { given }: UsedTemplate): PlannedLink {
  const { tagIds: _, ...others } = given;
  const sent = { ...link.own, url: link.url, redirectType: link.redirectType, expiresAt: link.expiresAt };
  const { url, redirectType, expiresAt, ...own } = mergeUtm(withTemplate(sent, others));
  return { ...link, url, redirectType, expiresAt, own };
}

/** Whether a link leads to the URL of a row, perhaps with parameters that only a template can have given. */
export function leadsTo(url: string, link: { readonly url: string }): boolean {
  const own = utmIn(url);
  const others = (Object.keys(utmParameters) as (keyof typeof utmParameters)[]).filter((field) => !own.has(field));
  return bare(withUtm(link.url, Object.fromEntries(others.map((field) => [field, null])))) === bare(url);
}

/** An address without a "?" at its end. */
function bare(href: string): string {
  const url = new URL(href);
  url.search = `${url.search}`;
  return url.href;
}
