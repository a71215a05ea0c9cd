import type { Domain } from '../core/domain/domain.ts';
import type { BlockedHosts } from '../core/link/destination.ts';
import { type Link, shortUrlOf } from '../core/link/link.ts';
import type { Refusal } from '../core/visit/refusal.ts';
import type { Served } from '../core/visit/visit.ts';
import { timeLeft, withDeadline } from '../runtime/deadline.ts';
import { instant } from '../runtime/instant.ts';
import { setting } from '../runtime/settings.ts';
import type { Brand } from './page-layout.ts';
import { type Headers, listable, redirectResponse, response, type VisitResponse } from './plain-responses.ts';
import { rememberedFile } from './remembered-files.ts';
import type { ShortRequest } from './short-request.ts';

/** A request, and its domain if it is known. */
export type Asked = ShortRequest & { readonly domain?: Domain };

/**
 * Pages and texts are in a file of their own beside the bundle, which is loaded when the first visitor needs it: most
 * visits are redirects, which must not wait for it at a cold start.
 */
const pageResponses = () => import('#page-responses');
/** The code that draws QR codes is in another file, because few visits need it. */
const drawing = () => import('#code-image');

/** A refusal in the format that the visitor accepts. */
export async function refuse(request: Asked, refusal: Refusal, headers: Headers = {}): Promise<VisitResponse> {
  const [{ refusalResponse }, brand] = await Promise.all([pageResponses(), brandOf(request)]);
  return refusalResponse(request, brand, refusal, headers);
}

/** The response to a decision on a link that isn't a refusal. @param blocked the blocked hosts */
export async function decisionResponse(
  request: Asked & { readonly domain: Domain },
  decision: Served,
  link: Link,
  blocked: BlockedHosts,
): Promise<VisitResponse> {
  if (decision.kind === 'redirect') return listable(redirectResponse(decision, link), request.domain);
  if (decision.kind === 'withheld') return response(200);
  if (decision.kind === 'code') {
    const { codeImage } = await drawing();
    return response(200, { 'Content-Type': 'image/svg+xml' }, codeImage(shortUrlOf(link, setting('SHORT_URL_ORIGIN'))));
  }
  const [{ pageResponse }, brand] = await Promise.all([pageResponses(), brandOf(request)]);
  const sent = pageResponse(request, brand, decision, link, blocked);
  return decision.kind === 'preview' || decision.kind === 'confirm' ? sent : listable(sent, request.domain);
}

/** How long a visitor waits for the logo, in milliseconds. */
const logoWithinMs = 1_000;

/**
 * The look of a domain's pages; undefined for other formats. If the logo can't be read in time, pages do without it.
 */
export async function brandOf({ format, domain }: Asked): Promise<Brand | undefined> {
  if (format !== 'page' || !domain) return undefined;
  const { host, accentColor } = domain;
  const read = () => rememberedFile(domain, 'logo', instant());
  const logo = await withDeadline(Math.min(timeLeft(), logoWithinMs), read).catch(() => undefined);
  return { host, accentColor, logo };
}
