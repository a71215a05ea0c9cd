import * as z from 'zod/mini';
import { parseAccentColor } from '../core/domain/accent-color.ts';
import { parseLogoUrl } from '../core/domain/logo.ts';
import { RuleError } from '../core/errors.ts';
import { parseDomainName } from '../core/host/host.ts';
import { parseHttpUrl } from '../core/host/http-url.ts';
import {
  descriptionLength,
  destinationLength,
  notesLength,
  passwordLength,
  pixelIdLength,
  searchLength,
  tagsPerLink,
  templateDays,
  titleLength,
} from '../core/limits.ts';
import { parseDestination } from '../core/link/destination.ts';
import { parseExternalId } from '../core/link/external-id.ts';
import { redirectTypes } from '../core/link/link.ts';
import { parseManagedBy } from '../core/link/managed-by.ts';
import { parsePageUrl } from '../core/link/page-url.ts';
import { googleTagPattern, metaPixelPattern } from '../core/link/pixel-id.ts';
import { checkSlug } from '../core/link/slug.ts';
import { parseColor, parseTagName } from '../core/tag/tag.ts';
import { parseTemplateName } from '../core/template/template.ts';
import { checkText } from '../core/text.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { webhookEvents as eventNames } from '../core/webhook/webhook.ts';
import { parseWebhookUrl, parseWebhookUrls } from '../core/webhook/webhook-urls.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { ruled } from './validation.ts';

/**
 * The fields of requests, each with its rule. Those marked as pure, and the list of top-level domains that they need,
 * stay out of bundles that don't use them.
 */
export const destination = /* @__PURE__ */ ruled((text) => parseDestination(text, destinationLength));
export const expiredUrl = /* @__PURE__ */ ruled((text) => parseDestination(text));
export const fallbackUrl = /* @__PURE__ */ ruled((text) => parseDestination(text));
export const slug = ruled(checkSlug);
export const managedBy = ruled(parseManagedBy);
export const externalId = ruled(parseExternalId);
export const title = ruled((text) => checkText(text, titleLength));
export const description = ruled((text) => checkText(text, descriptionLength));
export const notes = ruled((text) => checkText(text, notesLength));
export const image = ruled((text) => parseHttpUrl(text, 'image').href);
export const domainName = ruled((text) => {
  const host = parseDomainName(text);
  if (host === undefined)
    throw new RuleError('invalid_domain', 'must be a domain name such as go.example.com, without a port or path');
  return host;
});
export const searchText = ruled((text) => {
  if (text === '') throw new RuleError('too_short', 'must not be empty');
  return checkText(text, searchLength);
});
export const redirectType = z.enum(redirectTypes);
export const timestamp = ruled(parseTimestamp);
export const startsAt = ruled(parseTimestamp);
export const webhookUrl = /* @__PURE__ */ ruled((text) => parseWebhookUrl(text, webhookReach()));
export const pageUrl = /* @__PURE__ */ ruled((text) => parsePageUrl(text, webhookReach()));
export const webhookUrls = /* @__PURE__ */ ruled((text) => parseWebhookUrls(text, webhookReach()));
const webhookReach = () => (optionalSetting('WEBHOOK_LOOPBACK') === 'allowed' ? 'public and loopback' : 'public');
export const tagName = ruled(parseTagName);
export const color = ruled(parseColor);
export const templateName = /* @__PURE__ */ ruled(parseTemplateName);
export const accentColor = /* @__PURE__ */ ruled(parseAccentColor);
export const logoUrl = /* @__PURE__ */ ruled(parseLogoUrl);

export const password = ruled((text) => {
  if (text === '') throw new RuleError('too_short', 'must not be empty');
  return checkText(text, passwordLength);
});

const matching = (pattern: string, message: string) => {
  const shape = new RegExp(pattern);
  return ruled((text) => {
    if (!shape.test(text)) throw new RuleError('invalid_format', message);
    return text;
  });
};

export const metaPixelId = matching(metaPixelPattern, `must be 1 to ${pixelIdLength} digits`);
export const googleTagId = matching(
  googleTagPattern,
  `must be "G-" followed by 1 to ${pixelIdLength} upper-case letters and digits`,
);

/**
 * At most `tagsPerLink` tags. Duplicates are dropped, the order is kept. Whether they exist is checked by the store.
 */
export const tagIds = z.pipe(
  z.array(z.string()).check(z.maxLength(tagsPerLink)),
  z.transform((ids: string[]) => [...new Set(ids)]),
);

/** At most `tagsPerLink` names of tags. Whether they exist is checked by the endpoint. */
export const tagNames = z.array(tagName).check(z.maxLength(tagsPerLink));

/** Tags as a query parameter, separated by commas. Duplicates are dropped. @param parse checks the text for one tag */
const tagList = (parse: (text: string) => string) =>
  ruled((text) => {
    const tags = [...new Set(text.split(',').map(parse))];
    if (tags.length > tagsPerLink) throw new RuleError('too_many', `must have at most ${tagsPerLink} tags`);
    return tags;
  });

/** Tags by their ids or by their names. Whether they exist is checked by the store. */
export const tagIdList = tagList((id) => id);
export const tagNameList = tagList(parseTagName);

/** Whether a link needs any of several tags, or all. */
export const tagMatch = z.enum(['any', 'all']);

/** At least one event. Duplicates are dropped, the order is kept. */
export const webhookEvents = /* @__PURE__ */ distinctEvents();
function distinctEvents() {
  return z.pipe(
    z.array(z.enum(eventNames)).check(z.minLength(1), z.maxLength(eventNames.length)),
    z.transform((events: (typeof eventNames)[number][]) => [...new Set(events)]),
  );
}

/** A whole number from 1 to 2^53 - 1, the largest that JSON represents exactly. */
export const maxClicks = z.int().check(z.minimum(1));

/** How long after its creation a link of a template expires. */
export const expiresAfterDays = /* @__PURE__ */ wholeDays();
function wholeDays() {
  return z.int().check(z.minimum(1), z.maximum(templateDays));
}

/** The id of a template. Whether it exists is checked by the store. */
export const templateId = /* @__PURE__ */ z.string();
