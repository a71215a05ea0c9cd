import * as z from 'zod/mini';
import { none, rowDimensions, sources, unknown } from '../lambdas/core/click/click.ts';
import { accentBackgrounds } from '../lambdas/core/domain/accent-color.ts';
import {
  appLinksLength,
  descriptionLength,
  destinationLength,
  emailLength,
  keyNameLength,
  linksPerPage,
  logoLength,
  notesLength,
  ownerLength,
  parameterLength,
  parametersPerRule,
  partsBeforePath,
  passwordLength,
  pointsPerSeries,
  routingBytes,
  rulesPerLink,
  searchLength,
  slugLength,
  tagNameLength,
  tagsPerLink,
  templateNameLength,
  titleLength,
  urlLength,
  valuesPerFilter,
  valuesPerGroup,
  variantsPerLink,
  webhooksPerLink,
} from '../lambdas/core/limits.ts';
import { externalIdPattern } from '../lambdas/core/link/external-id.ts';
import { googleTagPattern, metaPixelPattern } from '../lambdas/core/link/pixel-id.ts';
import { slugPattern } from '../lambdas/core/link/slug.ts';
import { utmParameters } from '../lambdas/core/link/utm.ts';
import { qrMargin, qrSize } from '../lambdas/core/qr/qr-code.ts';
import { browsers, devices, systems } from '../lambdas/core/visitor/user-agent.ts';
import { appleAppSiteAssociation, assetLinks, component } from '../lambdas/http/app-links.ts';
import * as field from '../lambdas/http/fields.ts';
import { keyExpiry, keyName, keyPermissions } from '../lambdas/http/keys/key-requests.ts';
import { templateUtm, utm } from '../lambdas/http/links/utm.ts';
import { memberEmail } from '../lambdas/http/members/member-requests.ts';
import { rules, variantIdPattern, variants } from '../lambdas/http/routing.ts';

/**
 * The keywords of JSON Schema that a field has besides its type. They must accept every value that the rules in
 * `lambdas/core` accept.
 */
export type About = { description: string; [keyword: string]: unknown };

/** A time must look like this; `parseTimestamp` of `lambdas/core` checks the calendar too. */
const time = { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$' };

/** What a URL must have at least: a scheme, and no spaces or control characters. RE2 and Python read this pattern too. */
const httpUrl = { pattern: '^[Hh][Tt][Tt][Pp][Ss]?:[^\\s\\x00-\\x1f\\x7f-\\x9f]+$', maxLength: urlLength };
const httpsUrl = { ...httpUrl, pattern: httpUrl.pattern.replace('?', '') };

/** Descriptions of the request fields. They are kept apart from the schemas, so that they don't end up in bundles. */
export const fields = z.registry<About>();

/** The parts of request bodies that are components of the document, by their names. */
export const requestParts = z.registry<{ id: string }>();

requestParts.add(rules._zod.def.element, { id: 'RuleRequest' });
requestParts.add(rules._zod.def.element._zod.def.shape.if, { id: 'RuleConditionsRequest' });
requestParts.add(variants._zod.def.element, { id: 'VariantRequest' });
requestParts.add(appleAppSiteAssociation._zod.def.out, { id: 'AppleAppSiteAssociation' });
requestParts.add(assetLinks._zod.def.out._zod.def.element, { id: 'AssetLinkStatement' });

fields.add(field.destination, {
  description:
    'The destination: an absolute http or https URL without credentials. Its host must be a public address or a name under a ' +
    'public top-level domain (`destination_private`). It must not be a short domain of the service (`destination_short_domain`) ' +
    'or a host that the operator has blocked (`destination_blocked`) or that is on the list of harmful hosts ' +
    '(`destination_listed`). It must not have invisible characters, such as U+200B, unless they are escaped or join letters or emoji ' +
    '(`destination_invalid`). Stored as a browser would normalise it.',
  ...httpUrl,
  maxLength: destinationLength,
  examples: ['https://example.com/landing?utm_source=mail'],
});
fields.add(field.fallbackUrl, { description: 'Checked like the `url` of a link.', ...httpUrl });
fields.add(field.expiredUrl, {
  description:
    'Where visitors are redirected with 302 once the link has expired or is used up. Checked like `url`. Null for the `expiredUrl` of the ' +
    'domain; if there is none either, the link answers 410.',
  ...httpUrl,
  examples: ['https://example.com/over'],
});
for (const [name, schema] of Object.entries(utm)) {
  const parameter = utmParameters[name as keyof typeof utm];
  fields.add(schema, {
    description:
      `The value of the parameter \`${parameter}\` of \`url\`, which must be in the same request (\`url_required\`). It replaces the one ` +
      'that `url` has, and null removes it; everything else in `url` stays as it is. It is not stored apart from `url`.',
    minLength: 1,
    maxLength: parameterLength,
  });
}
for (const [name, schema] of Object.entries(templateUtm)) {
  const parameter = utmParameters[name as keyof typeof utm];
  fields.add(schema, {
    description: `The value of the parameter \`${parameter}\` of the destinations of the links. Null for none.`,
    minLength: 1,
    maxLength: parameterLength,
  });
}
fields.add(field.slug, {
  description:
    'The path of the short URL: parts with a slash between them. Case-insensitive, but stored as given. It does not end in `.q` or ' +
    '`.svg`, no part is `.` or `..` or begins with `.well-known`, and the first is none of `api`, `ping`, `sping`, `robots.txt` and ' +
    '`favicon.ico`. If a link gets another slug, the former one becomes an alias.',
  pattern: `^${slugPattern}$`,
  maxLength: slugLength,
  examples: ['summer-sale'],
});
fields.add(field.managedBy, {
  description:
    'What manages the link, such as a manifest in a repository: `owner@domain`, with an owner of 1 to ' +
    `${ownerLength} lower-case letters, digits and hyphens. The domain is stored in lower case and ASCII.`,
  examples: ['marketing@go.example.com'],
});
fields.add(field.externalId, {
  description:
    'The id of the link in a system of yours, unique in the workspace. Case-sensitive; not `.` or `..`. Null removes it, so that another ' +
    'link can have it.',
  pattern: externalIdPattern,
  examples: ['cms:page-4711'],
});
fields.add(field.title, {
  description: 'A readable name. Cards have it if `description` or `image` is set.',
  maxLength: titleLength,
  examples: ['Summer sale'],
});
fields.add(field.description, {
  description: 'A text for cards in chats and posts.',
  maxLength: descriptionLength,
  examples: ['All of July'],
});
fields.add(field.image, {
  description: 'An image for cards in chats and posts: an http or https URL.',
  ...httpUrl,
  examples: ['https://example.com/sale.png'],
});
fields.add(field.notes, {
  description: 'Notes for people of the workspace. Visitors and receivers of webhooks never see them.',
  maxLength: notesLength,
  examples: ['Ask Jo before changing it'],
});
fields.add(field.redirectType, { description: 'The status of the redirect.' });
fields.add(field.timestamp, {
  description:
    'When the link expires, in ISO 8601 with a time zone. From then on it answers 410, or with `expiredUrl`. It may be in the past.',
  ...time,
  examples: ['2030-01-01T00:00:00Z'],
});
fields.add(field.startsAt, {
  description:
    'When the link starts to work, in ISO 8601 with a time zone. Before that it answers 404. It must be before `expiresAt`.',
  ...time,
  examples: ['2030-01-01T00:00:00Z'],
});
fields.add(field.password, {
  description: 'The password that visitors have to enter. Stored as an Argon2id hash, and never returned.',
  minLength: 1,
  maxLength: passwordLength,
  examples: ['correct horse battery staple'],
});
fields.add(field.maxClicks, {
  description:
    'The cap: how many clicks the link accepts, including those from before the cap was set. A new cap starts at `clickCount`, or at the number of clicks that earlier caps have counted if that is more. If the cap is not above that number, the link answers 410. Removing the cap keeps the number.',
  examples: [100],
});
fields.add(field.tagIds, {
  description: 'The ids of tags. Replaces the whole list. Duplicates are dropped, and the order is kept.',
  examples: [['tag_0a1B2c3D4e5F6g7H']],
});
fields.add(field.tagNames, {
  description:
    `Names of tags of the workspace, in addition to \`tagIds\`. Together they replace the whole list. A link has at most ` +
    `${tagsPerLink} tags. A name that no tag has is refused (\`tag_not_found\`).`,
  examples: [['Summer 2030']],
});
fields.add(field.templateName, {
  description: 'The name, unique in the workspace: compared like the names of tags.',
  maxLength: templateNameLength,
  examples: ['Newsletter'],
});
fields.add(field.templateId, {
  description:
    'A template, which gives what the request does not say. Fields of the request win, also if they are null, and so do parameters that ' +
    "`url` has; its tags are all tags. The template's tags that are gone are left out. The link keeps no connection to it.",
  examples: ['tpl_0a1B2c3D4e5F6g7H'],
});
fields.add(field.expiresAfterDays, {
  description: 'How many days after their creation links expire, counted from when the request arrives.',
  examples: [90],
});
const rule = rules._zod.def.element._zod.def.shape;
fields.add(rule.url, { description: 'Where the rule leads. Checked like `url`.', ...httpUrl });
fields.add(rule.if, { description: 'Conditions that must all hold. A list holds if any of its values does.', minProperties: 1 });
fields.add(rule.if._zod.def.shape.query._zod.def.innerType, {
  description: 'Query parameters that the visit must have, with these values.',
  propertyNames: { type: 'string', minLength: 1, maxLength: parameterLength },
  minProperties: 1,
  maxProperties: parametersPerRule,
});
const variant = variants._zod.def.element._zod.def.shape;
fields.add(variant.id, {
  description: 'Unique among the variants. `none`, `other` and `unknown` are reserved.',
  pattern: variantIdPattern,
  examples: ['a'],
});
fields.add(variant.url, { description: 'Where the variant leads. Checked like `url`.', ...httpUrl });
fields.add(rules, {
  description:
    `Up to ${rulesPerLink} rules. The first one whose conditions all hold for a visit decides where it leads. If there is none, \`variants\` ` +
    `decide, and without variants \`url\`. Each URL is checked like \`url\`. Rules and variants together have at most ${routingBytes} bytes ` +
    'of JSON. Replaces the whole list.',
  examples: [[{ if: { os: ['ios', 'android'], language: ['de'] }, url: 'https://example.com/de/app' }]],
});
fields.add(variants, {
  description:
    `${variantsPerLink.least} to ${variantsPerLink.most} destinations among which visitors are divided by weight, or none. The same visitor ` +
    'keeps the same one. Each URL is checked like `url`. Replaces the whole list.',
  examples: [
    [
      { id: 'a', url: 'https://example.com/a', weight: 1 },
      { id: 'b', url: 'https://example.com/b', weight: 1 },
    ],
  ],
});
fields.add(field.metaPixelId, {
  description: 'The id of a Meta pixel.',
  pattern: metaPixelPattern,
  examples: ['1234567890'],
});
fields.add(field.googleTagId, {
  description: 'A measurement id of Google Analytics.',
  pattern: googleTagPattern,
  examples: ['G-AB12CD34EF'],
});
fields.add(field.webhookUrls, {
  description: `Up to ${webhooksPerLink} https URLs at public hosts, separated by commas. They receive \`link.clicked\` and \`link.cap_reached\` of this link.`,
  examples: ['https://example.com/hooks/links,https://example.org/hook'],
});
fields.add(field.webhookUrl, {
  description: 'An https URL at a public host, without credentials.',
  ...httpUrl,
  examples: ['https://example.com/hooks/links'],
});
fields.add(field.webhookEvents, {
  description:
    'The events to send, at most as many as there are. Replaces the whole list. Duplicates are dropped, and the order is kept.',
  examples: [['link.clicked', 'link.deleted']],
});
fields.add(field.tagName, {
  description: `1 to ${tagNameLength} letters, numbers, spaces, hyphens and underscores of any script, after trimming. Unique in the workspace, case-insensitively.`,
  pattern: '\\S',
  examples: ['Summer 2030'],
});
fields.add(field.color, { description: 'Stored in lower case.', pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1a2b3c'] });

fields.add(keyName, {
  description: 'What the key is for, trimmed, without control characters; null for none.',
  pattern: '\\S',
  maxLength: keyNameLength,
  examples: ['CI'],
});
fields.add(keyExpiry, {
  description: 'When the key expires, in ISO 8601 with a time zone; null for never. It must be in the future.',
  ...time,
  examples: ['2031-01-02T00:00:00Z'],
});
fields.add(keyPermissions, {
  description: 'What the key may do. Replaces the whole list. Duplicates are dropped, and the order is kept.',
  examples: [['links:write', 'links:read']],
});

fields.add(memberEmail, {
  description: `The email address with which the person will sign in, trimmed, at most ${emailLength} characters. Its case makes no difference.`,
  pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  examples: ['ada@example.com'],
});

fields.add(component, {
  description: 'A pattern of URLs: `/` for the path, `?` for the query, `#` for the fragment, `exclude`, and other options.',
  // Generators cannot make names of `/`, `?` and `#`.
  properties: {},
});
fields.add(appleAppSiteAssociation, {
  description:
    "Apple's file that associates the domain with apps, served at `/.well-known/apple-app-site-association`; null for none. At " +
    `most ${appLinksLength.toLocaleString('en-US')} bytes as compact JSON.`,
  examples: [{ applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/*' }] }] } }],
});
fields.add(assetLinks, {
  description:
    "Google's list of statements that associates the domain with apps, served at `/.well-known/assetlinks.json`; null for none. At " +
    `most ${appLinksLength.toLocaleString('en-US')} bytes as compact JSON.`,
  examples: [
    [
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.app',
          sha256_cert_fingerprints: [Array(32).fill('0F').join(':')],
        },
      },
    ],
  ],
});

fields.add(field.accentColor, {
  description:
    'The colour of buttons on the pages of the domain; null for the default. It needs a contrast of at least 3:1 with the ' +
    `light and the dark page, ${accentBackgrounds.join(' and ')}. Stored in lower case.`,
  pattern: '^#[0-9A-Fa-f]{6}$',
  examples: ['#1877f2'],
});
fields.add(field.logoUrl, {
  description:
    'A logo for the pages of the domain: an https URL at a public host, which is fetched at once and again each time it is set; null ' +
    `for none. It must be a PNG, JPEG, GIF or WebP image of at most ${logoLength.toLocaleString('en-US')} bytes.`,
  ...httpsUrl,
  examples: ['https://www.example.com/logo.png'],
});

/** Boolean fields, by their names. */
export const switches: Readonly<Record<string, About>> = {
  isActive: { description: 'Whether the link works. An inactive link answers 404.' },
  isArchived: { description: 'Whether lists leave the link out unless they are asked for it. Visitors notice nothing.' },
  cloaked: { description: 'Whether the destination is shown in a frame under the short URL, if it allows framing.' },
  forwardParameters: {
    description:
      "Whether the visitor's query parameters are passed on to the destination. If both have a parameter, the destination's value wins.",
  },
  forwardPath: {
    description:
      `Whether visitors of \`/{slug}/more/path\` are sent to the same path behind the destination's. The slug has at most ${partsBeforePath} ` +
      'parts with a slash between them (`slug_too_deep`). A link with the whole path as its slug comes first.',
  },
  hideReferrer: {
    description:
      'Whether browsers are told to send the destination no `Referer`, so that it does not learn from which page its visitors come.',
  },
  publicQr: { description: 'Whether anyone may fetch the QR codes of its links.' },
  allowIndexing: {
    description:
      'Whether search engines may list its short links. Otherwise, redirects, cards and frames say `X-Robots-Tag: noindex`.',
  },
  active: { description: 'Whether events are sent to the webhook.' },
  confirmVisit: {
    description:
      'Whether visitors have to press a button before they are counted and redirected. This keeps most email and chat scanners from ' +
      'using up `maxClicks`; it cannot stop scanners that press buttons. Programs send the header `Link-Confirm: 1`.',
  },
  blockBots: { description: 'Whether known bots are refused. Command lines and HTTP libraries do not count as bots.' },
};

/** The parameter that filters clicks by a dimension. @param what what a click must have. @param items the shape of a value */
export const filterBy = (what: string, items: object, examples: readonly string[]): About => ({
  description: `Only clicks with ${what}. Several values are separated by commas; a comma of a value is \`\\\\,\`. Duplicates are dropped.`,
  type: 'array',
  items: { type: 'string', ...items },
  minItems: 1,
  maxItems: valuesPerFilter,
  examples: [examples],
});

/** Query parameters, by their names. */
export const parameters: Readonly<Record<string, About>> = {
  limit: {
    description: 'The most links on a page.',
    type: 'integer',
    minimum: 1,
    maximum: linksPerPage.most,
    default: linksPerPage.unlessAsked,
    examples: [50],
  },
  cursor: {
    description: 'The `nextCursor` of the previous page. It is valid only for the same filter in the same workspace.',
  },
  tagId: {
    description: 'Only links with this tag. A short form of `tagIds`: send it without `tagIds` and `tagNames`.',
    examples: ['tag_0a1B2c3D4e5F6g7H'],
  },
  tagIds: {
    description:
      'Only links with any of these tags, or with all of them if `match` says so. Separated by commas; duplicates are dropped.',
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: tagsPerLink,
    examples: [['tag_0a1B2c3D4e5F6g7H', 'tag_7H6g5F4e3D2c1B0a']],
  },
  tagNames: {
    description: 'The same by the names of tags. With `tagIds`, these are in addition to them.',
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: tagsPerLink,
    examples: [['Summer 2030', 'news']],
  },
  match: { description: 'Whether a link needs any of these tags, or all of them.', default: 'any' },
  domain: { description: 'Only links on this domain.', examples: ['go.example.com'] },
  slug: { description: 'The slug. Case-insensitive.', examples: ['summer-sale'] },
  archived: {
    description: '`false` leaves archived links out, `true` lists only them, `any` lists all links.',
    default: 'false',
  },
  managedBy: { description: 'Only links with exactly this `managedBy`.', examples: ['marketing@go.example.com'] },
  q: {
    description: 'Only links with this text in a slug, `url`, title or notes, or at this short URL or domain.',
    minLength: 1,
    maxLength: searchLength,
    examples: ['summer'],
  },
  from: {
    description:
      'The start, in ISO 8601 with a time zone, in whole seconds. The default is the start of the day 29 days before the last one, in ' +
      '`timezone`. Clicks from before `clickDays` have expired.',
    format: 'date-time',
    examples: ['2030-01-01T00:00:00Z'],
  },
  to: {
    description: 'The end, which is not included, in ISO 8601 with a time zone, in whole seconds. The default is now.',
    format: 'date-time',
    examples: ['2030-02-01T00:00:00Z'],
  },
  interval: {
    description:
      'How long a point of the series is. Weeks start on Monday. By default it follows from the range: an hour for up to 4 days, a ' +
      `day for up to 100, a week for up to 370, otherwise a month. A series has at most ${pointsPerSeries} points.`,
    examples: ['day'],
  },
  timezone: {
    description: 'The IANA time zone in which hours, days, weeks and months start.',
    default: 'UTC',
    examples: ['Europe/Berlin'],
  },
  groupBy: {
    description: 'The dimensions to group the clicks by, separated by commas. Duplicates are dropped.',
    type: 'array',
    items: { type: 'string', enum: rowDimensions },
    minItems: 1,
    examples: [['country', 'device']],
  },
  groupLimit: {
    description: 'How many values of each dimension to name. `rest` sums up the others.',
    type: 'integer',
    minimum: 1,
    maximum: valuesPerGroup.most,
    default: valuesPerGroup.unlessAsked,
  },
  country: filterBy('one of these countries', { pattern: `^([A-Za-z]{2}|${unknown})$` }, ['DE', 'AT']),
  referrer: filterBy('one of these referrers', { pattern: '^[A-Za-z0-9._-]{1,253}$' }, ['news.example.com']),
  device: filterBy('one of these devices', { enum: [...devices, unknown] }, ['mobile']),
  browser: filterBy('one of these browsers', { enum: [...browsers, unknown] }, ['firefox']),
  os: filterBy('one of these operating systems', { enum: [...systems, unknown] }, ['ios', 'android']),
  language: filterBy('one of these languages', { pattern: `^([A-Za-z]{2,3}|${unknown})$` }, ['de']),
  source: filterBy('one of these sources', { enum: [...sources, unknown] }, ['qr']),
  variant: filterBy('one of these variants', { pattern: variantIdPattern }, ['a']),
  path: filterBy('one of these paths behind the slug', {}, ['none']),
  utmSource: filterBy('one of these values of `utm_source`', {}, ['newsletter']),
  utmMedium: filterBy('one of these values of `utm_medium`', {}, ['email']),
  utmCampaign: filterBy('one of these values of `utm_campaign`', {}, ['summer', none]),
  day: {
    description: 'A day in UTC, instead of `from` and `to`.',
    format: 'date',
    examples: ['2030-01-31'],
  },
  format: { description: 'The format of the image.', default: 'svg' },
  size: {
    description: 'The side of the image, in pixels. A PNG needs at least 2 for each module.',
    type: 'integer',
    minimum: qrSize.least,
    maximum: qrSize.most,
    default: qrSize.unlessAsked,
  },
  margin: {
    description: 'The margin, in modules. Scanners need 4 modules of the background around the code.',
    type: 'integer',
    minimum: 0,
    maximum: qrMargin.most,
    default: qrMargin.unlessAsked,
  },
  ecc: {
    description:
      'The least error correction: how much of the code may be damaged. A higher level is used if that does not make the code larger.',
    default: 'M',
  },
  foreground: {
    description:
      'The colour of the dark modules: 6 hexadecimal digits. It must differ enough from the background (`low_contrast`). It may be ' +
      'lighter than the background, but some scanners do not read such codes.',
    pattern: '^#?[0-9A-Fa-f]{6}$',
    default: '000000',
    examples: ['1a2b3c'],
  },
  background: {
    description: 'The colour of the light modules and of the margin.',
    pattern: '^#?[0-9A-Fa-f]{6}$',
    default: 'ffffff',
    examples: ['ffffff'],
  },
};
