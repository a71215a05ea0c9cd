import type { Domain } from '../domain/domain.ts';
import { type Link, shortUrlOf } from '../domain/link.ts';
import type { Answer } from '../domain/visit.ts';
import { timeLeft, withDeadline } from '../runtime/deadline.ts';
import { instant } from '../runtime/instant.ts';
import { setting } from '../runtime/settings.ts';
import type { Brand } from './page.ts';
import { answer, type Headers, type Result, redirectAnswer } from './plain-answers.ts';
import type { AnyRefusal } from './refusals.ts';
import { rememberedFile } from './remembered-files.ts';
import type { ShortRequest } from './short-request.ts';

/** A request, and its domain as far as it is known. */
export type Asked = ShortRequest & { readonly domain?: Domain };

/**
 * Pages and texts are in a file of their own beside the bundle, which is loaded when the first visitor needs it: most
 * visits are redirects, which must not wait for it at a cold start.
 */
const answers = () => import('#answers');
/** What draws QR codes is another one, because few visits ask for it. */
const drawing = () => import('#code-image');

/** A refusal in the format that the visitor accepts. */
export async function refuse(request: Asked, refusal: AnyRefusal, headers: Headers = {}): Promise<Result> {
  const [{ refusalAnswer }, brand] = await Promise.all([answers(), brandOf(request)]);
  return refusalAnswer(request, brand, refusal, headers);
}

/** The response to a decision about a link that isn't a refusal. */
export async function respond(request: Asked, decision: Answer, link: Link): Promise<Result> {
  if (decision.answer === 'redirect') return redirectAnswer(decision);
  if (decision.answer === 'withheld') return answer(200);
  if (decision.answer === 'code') {
    const { codeImage } = await drawing();
    return answer(200, { 'Content-Type': 'image/svg+xml' }, codeImage(shortUrlOf(link, setting('SHORT_URL_ORIGIN'))));
  }
  const [{ decisionAnswer }, brand] = await Promise.all([answers(), brandOf(request)]);
  return decisionAnswer(request, brand, decision, link);
}

/** How long a visitor waits for the logo, in milliseconds. */
const logoWithinMs = 1_000;

/** How a domain's pages look. Only pages need it. Without its logo, a page is still good. */
async function brandOf({ format, domain }: Asked): Promise<Brand | undefined> {
  if (format !== 'page' || !domain) return undefined;
  const { host, accentColor } = domain;
  const read = () => rememberedFile(domain, 'logo', instant());
  const logo = await withDeadline(Math.min(timeLeft(), logoWithinMs), read).catch(() => undefined);
  return { host, accentColor, logo };
}
