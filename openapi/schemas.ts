import * as z from 'zod/mini';
import { rowDimensions } from '../lambdas/core/click/click.ts';
import { certificateStatuses } from '../lambdas/core/domain/certificate.ts';
import { domainStatuses } from '../lambdas/core/domain/domain.ts';
import type { ErrorCode } from '../lambdas/core/errors.ts';
import { actions, subjectTypes } from '../lambdas/core/history/history.ts';
import { permissions } from '../lambdas/core/key/permissions.ts';
import { actorNameLength, attemptsPerDelivery, invitationDays, revokedKeyDays } from '../lambdas/core/limits.ts';
import { redirectTypes } from '../lambdas/core/link/link.ts';
import type { Conditions } from '../lambdas/core/link/rules.ts';
import { linkStates } from '../lambdas/core/link/state.ts';
import { roles } from '../lambdas/core/member/roles.ts';
import { devices, systems } from '../lambdas/core/visitor/user-agent.ts';
import { type DeliveryType, deliveryTypes, shownStates } from '../lambdas/core/webhook/delivery.ts';
import { webhookEvents } from '../lambdas/core/webhook/webhook.ts';
import { problems } from '../lambdas/http/problems.ts';
import type { ClickView, clickInPayload } from '../lambdas/views/click.ts';
import type { domainView, fullDomainView } from '../lambdas/views/domain.ts';
import type { entryView } from '../lambdas/views/history.ts';
import type { importResponse } from '../lambdas/views/import.ts';
import type { keyView, newKeyView } from '../lambdas/views/key.ts';
import type { LinkView } from '../lambdas/views/link.ts';
import type { meView } from '../lambdas/views/me.ts';
import type { invitedView, memberView } from '../lambdas/views/member.ts';
import type { statisticsView, topLinksView } from '../lambdas/views/statistics.ts';
import type { tagView } from '../lambdas/views/tag.ts';
import type { templateView } from '../lambdas/views/template.ts';
import type { newSecretView, secretView, webhookView } from '../lambdas/views/webhook.ts';
import type { deliveryDetailsView, deliveryView } from '../lambdas/views/webhook-delivery.ts';
import type { linkInPayload } from '../lambdas/views/webhook-payload.ts';

/** A schema of exactly this type, neither wider nor narrower, so that the views and the document cannot drift apart. */
const exactly =
  <T>() =>
  <S extends z.ZodMiniType<T>>(schema: S & (T extends z.output<S> ? unknown : never)): S =>
    schema;

/** Descriptions of the parts of responses. Parts with an id are components of the document. */
export const parts = z.registry<{ id?: string; description?: string; [keyword: string]: unknown }>();

const timestamp = z.string().register(parts, { format: 'date-time', examples: ['2030-01-02T03:04:05.678Z'] });
const linkId = z.string().register(parts, { pattern: '^lnk_[0-9A-Za-z]{28}$', examples: ['lnk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP'] });
const tagId = z.string().register(parts, { pattern: '^tag_[0-9A-Za-z]{16}$', examples: ['tag_0a1B2c3D4e5F6g7H'] });
const color = z.string().register(parts, { pattern: '^#[0-9a-f]{6}$', examples: ['#1a2b3c'] });
/** A new schema each time, because a description belongs to one. */
const count = () => z.int().check(z.minimum(0));

const errorCode = z.enum(Object.keys(problems) as ErrorCode[]).register(parts, {
  id: 'ErrorCode',
  description: 'What went wrong. The status follows from it. Later versions may have more codes.',
});
const ruleCode = z.string().register(parts, {
  description:
    'The rule that was broken, or the error code of a problem document. Each rule has its own code (docs/api/errors.md).',
  examples: ['destination_scheme'],
});

export const tag = exactly<ReturnType<typeof tagView>>()(
  z
    .strictObject({
      id: tagId,
      name: z.string(),
      color,
      createdAt: timestamp,
      _count: z
        .strictObject({ links: count().register(parts, { description: 'The exact number of links with the tag.' }) })
        .register(parts, { id: 'TagCounts', description: 'The counts of a tag.' }),
    })
    .register(parts, { id: 'Tag', description: 'A tag of the workspace.' }),
);

const left = {
  limit: count().register(parts, { description: 'The limit.' }),
  remaining: count().register(parts, { description: 'How much is left.' }),
};
const limitLeft = z.strictObject(left);
const limitInWindow = z.strictObject({
  ...left,
  windowSeconds: count(),
  resetSeconds: count().register(parts, { description: 'Seconds until more is available; 0 if nothing is used.' }),
});

export const me = exactly<ReturnType<typeof meView>>()(
  z
    .strictObject({
      workspace: z.strictObject({ id: z.string(), name: z.string(), createdAt: timestamp }),
      key: z.strictObject({
        id: z.string(),
        name: z.nullable(z.string()),
        permissions: z.array(z.string()),
        expiresAt: z.nullable(timestamp),
      }),
      limits: z.strictObject({
        bulkRequests: limitInWindow,
        bulkChanges: limitInWindow,
        metadataRequests: limitInWindow,
        framingLookUps: limitInWindow,
        tags: limitLeft,
        templates: limitLeft,
        domains: limitLeft,
        webhooks: limitLeft,
        keys: limitLeft,
        linksPerBulkRequest: count(),
        requestsPerSecond: z.number(),
        requestBurst: count(),
        clickDays: count().register(parts, { description: 'For how many days the records of clicks are kept.' }),
        historyDays: count().register(parts, {
          description: 'For how many days entries of the history are kept; 0 if it is off.',
        }),
        linksPerPage: count(),
        tagsPerLink: count(),
        aliasesPerLink: count(),
        rulesPerLink: count(),
        variantsPerLink: count(),
        webhookUrlsPerLink: count(),
        secretsAtOnce: count(),
      }),
    })
    .register(parts, { id: 'Me', description: 'The caller: its workspace, its key, and the limits that apply.' }),
);

const nullable = <S extends z.ZodMiniType>(schema: S) => z.nullable(schema);

const nextCursor = nullable(z.string()).register(parts, {
  description: 'Send it as `cursor`, with the same filter, to get the next page. Null on the last page.',
});

export const tagList = z
  .strictObject({ tags: z.array(tag), nextCursor })
  .register(parts, { id: 'TagList', description: 'The tags, or a page of them, sorted by name.' });

const templateId = z.string().register(parts, { pattern: '^tpl_[0-9A-Za-z]{16}$', examples: ['tpl_0a1B2c3D4e5F6g7H'] });

export const template = exactly<ReturnType<typeof templateView>>()(
  z
    .strictObject({
      id: templateId,
      name: z.string(),
      domain: nullable(z.string()).register(parts, {
        description: 'The domain of the links. It may no longer belong to the workspace: then links cannot be created on it.',
        examples: ['go.example.com'],
      }),
      tagIds: z
        .readonly(z.array(tagId))
        .register(parts, { description: 'The tags of the links. One that is deleted leaves the list.' }),
      utmSource: nullable(z.string()),
      utmMedium: nullable(z.string()),
      utmCampaign: nullable(z.string()),
      utmTerm: nullable(z.string()),
      utmContent: nullable(z.string()),
      redirectType: z.enum(redirectTypes),
      expiresAfterDays: nullable(count()).register(parts, {
        description: 'How many days after their creation the links expire.',
      }),
      isActive: z.boolean(),
      isArchived: z.boolean(),
      cloaked: z.boolean(),
      forwardParameters: z.boolean(),
      forwardPath: z.boolean(),
      hideReferrer: z.boolean(),
      blockBots: z.boolean(),
      confirmVisit: z.boolean(),
      createdAt: timestamp,
    })
    .register(parts, {
      id: 'Template',
      description: 'A template: settings for new links. What is not set has the default value of a link, or is null.',
    }),
);

export const templateList = z
  .strictObject({ templates: z.array(template), nextCursor })
  .register(parts, { id: 'TemplateList', description: 'The templates, or a page of them, sorted by name.' });

const anyOf = <S extends z.ZodMiniType>(schema: S) => z.optional(z.readonly(z.array(schema)));

const conditions = exactly<Conditions>()(
  z.strictObject({
    country: anyOf(z.string()),
    device: anyOf(z.enum(devices)),
    os: anyOf(z.enum(systems)),
    language: anyOf(z.string()),
    after: z.optional(timestamp),
    before: z.optional(timestamp),
    query: z.optional(z.record(z.string(), z.string())),
  }),
).register(parts, {
  id: 'RuleConditions',
  description: 'Conditions that must all hold. A list holds if any of its values does.',
});

const linkTag = z.strictObject({ id: tagId, name: z.string(), color }).register(parts, {
  id: 'LinkTag',
  description: 'A tag of a link.',
});
const rule = z
  .strictObject({ if: conditions, url: z.string() })
  .register(parts, { id: 'Rule', description: 'Where a link leads if all conditions hold.' });
const variant = z
  .strictObject({ id: z.string(), url: z.string(), weight: z.int() })
  .register(parts, { id: 'Variant', description: 'One of the destinations among which visitors are divided.' });

const receiverStates = ['ok', 'failing', 'paused', 'gone', 'no_secret'] as const;

const redirectsTo = nullable(z.string()).register(parts, {
  description:
    'Where the last response redirects to, without credentials and fragment, and cut after 1 kB. Redirects are not followed: use ' +
    'this address instead.',
});

const webhookUrlStatus = z
  .strictObject({
    url: z.string(),
    state: z.enum(receiverStates),
    since: nullable(timestamp),
    error: nullable(z.string()),
    redirectsTo,
  })
  .register(parts, { id: 'WebhookUrlStatus', description: 'The state of one of the `webhookUrls`.' });

const link = exactly<LinkView>()(
  z
    .strictObject({
      id: linkId,
      shortCode: z.string().register(parts, { description: 'The slug, as given or generated.', examples: ['summer-sale'] }),
      domain: z.string().register(parts, { examples: ['go.example.com'] }),
      shortUrl: z.string().register(parts, { format: 'uri', examples: ['https://go.example.com/summer-sale'] }),
      aliases: z.array(z.string()).register(parts, { description: 'Former slugs, which still lead to the link.' }),
      url: z.string().register(parts, { description: 'The destination.' }),
      title: nullable(z.string()),
      description: nullable(z.string()),
      image: nullable(z.string()),
      notes: nullable(z.string()).register(parts, { description: 'What the workspace notes about the link.' }),
      redirectType: z.enum(redirectTypes),
      isActive: z.boolean(),
      isArchived: z.boolean(),
      state: z.enum(linkStates).register(parts, {
        description:
          '`active` if visitors get through. Otherwise the first that applies: `disabled` (by the operator), `blocked` (the operator has ' +
          'blocked the host of `url`), `inactive` (`isActive` is false), `scheduled` (before `startsAt`), `expired` (`expiresAt` has ' +
          'passed), `used_up` (visits have used up `maxClicks`), `pending` (the domain does not serve yet).',
      }),
      pendingVerification: z.boolean().register(parts, { description: 'Whether the link still waits for its domain to serve.' }),
      cloaked: z.boolean(),
      hasPassword: z.boolean(),
      startsAt: nullable(timestamp),
      expiresAt: nullable(timestamp),
      expiredUrl: nullable(z.string()),
      maxClicks: nullable(z.int().check(z.minimum(1))),
      clickCount: z.int().check(z.minimum(0)),
      lastClickedAt: nullable(timestamp).register(parts, {
        description:
          'When the newest counted click was recorded, to the second. Null without clicks, after an erasure, or if it is not known.',
      }),
      tags: z.array(linkTag),
      externalId: nullable(z.string()).register(parts, {
        description: 'The id of the link in a system of its workspace.',
        examples: ['cms:page-4711'],
      }),
      managedBy: nullable(z.string()).register(parts, {
        description: 'What manages the link, as `owner@domain`.',
        examples: ['marketing@go.example.com'],
      }),
      forwardParameters: z.boolean(),
      forwardPath: z.boolean(),
      hideReferrer: z.boolean(),
      blockBots: z.boolean(),
      confirmVisit: z.boolean(),
      rules: z.array(rule),
      variants: z.array(variant),
      metaPixelId: nullable(z.string()),
      googleTagId: nullable(z.string()),
      webhookUrls: nullable(
        z.string().register(parts, {
          description: 'https URLs, separated by commas. They receive `link.clicked` and `link.cap_reached` of this link.',
        }),
      ),
      webhookStatus: z.optional(z.array(webhookUrlStatus)).register(parts, {
        description:
          'The state of each of the `webhookUrls`. Present only if a single link is fetched. `failing`: every attempt since the last success ' +
          'has failed. `paused`: it has failed for three days. `gone`: it answered 410. `no_secret`: the workspace has no secret for the ' +
          'URLs of links.',
      }),
      restoredFrom: z.optional(linkId).register(parts, {
        description:
          'The deleted link that it was made from again, whose history has what happened before. Absent for other links.',
      }),
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    .register(parts, { id: 'Link', description: 'A link, without its password.' }),
);

export const linkResponse = z.strictObject({ link }).register(parts, { id: 'LinkAnswer' });

export const restoredLink = z
  .strictObject({
    link,
    lostTagIds: z
      .array(z.string())
      .register(parts, { description: 'The tags that the deleted link had and that no longer exist.' }),
    lostPassword: z.boolean().register(parts, {
      description: 'Whether the deleted link had a password. The history does not know it, so the link comes back inactive.',
    }),
  })
  .register(parts, { id: 'RestoredLink', description: 'A link that was made again.' });

export const linkPage = z
  .strictObject({
    links: z.array(link),
    nextCursor,
  })
  .register(parts, { id: 'LinkPage', description: 'A page of links, newest first.' });

const rankedLink = z
  .strictObject({
    ...link.shape,
    inRange: z
      .strictObject({ clicks: z.int().check(z.minimum(0)), lastClickedAt: nullable(timestamp) })
      .register(parts, { description: 'The clicks in the range when the order was decided.' }),
  })
  .register(parts, { id: 'RankedLink', description: 'A link, and its clicks in a range.' });

export const rankedLinkPage = z
  .strictObject({ links: z.array(rankedLink), nextCursor })
  .register(parts, { id: 'RankedLinkPage', description: 'A page of links, by their clicks.' });

export const metadata = z
  .strictObject({
    url: z.string().register(parts, { format: 'uri', description: 'The address of the page, in the form that links store.' }),
    title: nullable(z.string()),
    description: nullable(z.string()),
    image: nullable(z.string()).register(parts, { format: 'uri', description: 'An https URL.' }),
  })
  .register(parts, { id: 'Metadata', description: 'What a page says about itself. Null is what it does not say.' });

const failedChanges = z.array(
  z
    .strictObject({
      index: z.int().register(parts, { description: 'The position in the request, starting at 0.' }),
      id: z.string(),
      code: errorCode,
      message: z.string(),
    })
    .register(parts, { id: 'FailedChange', description: 'A link of the request that was not changed.' }),
);

export const bulkUpdate = z
  .strictObject({
    updated: count().register(parts, { description: 'How many links were updated or needed no change.' }),
    failed: failedChanges,
  })
  .register(parts, { id: 'BulkUpdate', description: 'How many links were updated, and which were not.' });

export const bulkDeletion = z
  .strictObject({ deleted: count().register(parts, { description: 'How many links were deleted.' }), failed: failedChanges })
  .register(parts, { id: 'BulkDeletion', description: 'How many links were deleted, and which were not.' });

export const bulkResponse = exactly<ReturnType<typeof importResponse>>()(
  z
    .strictObject({
      created: z.int().register(parts, { description: 'How many links were created.' }),
      activeCount: z.int(),
      pendingCount: z.int().register(parts, { description: 'How many of them still wait for their domain to serve.' }),
      failed: z.array(
        z
          .strictObject({
            index: z.int().register(parts, { description: 'The position in the request, starting at 0.' }),
            url: nullable(z.string()),
            customSlug: nullable(z.string()),
            code: ruleCode,
            message: z.string(),
          })
          .register(parts, { id: 'FailedImport', description: 'A link of the request that was not created.' }),
      ),
      links: z.array(link),
    })
    .register(parts, {
      id: 'BulkAnswer',
      description: 'Which links were created and which failed, in the order of the request.',
    }),
);

const dnsRecord = z
  .strictObject({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })
  .register(parts, { id: 'DnsRecord', description: 'A record to set in the DNS.' });

const domainFields = {
  domain: z.string().register(parts, { examples: ['go.example.com'] }),
  status: z.enum(domainStatuses).register(parts, {
    description:
      '`PENDING_OWNERSHIP`: only claimed. `PENDING_DNS`: ownership is proven, links can be created but do not work yet. `ACTIVE`: links work.',
  }),
  covered: z.boolean().register(parts, {
    description:
      'Whether a custom domain of the service covers the name. If none does, visitors cannot reach it, and the domain stays pending, until the operator adds one.',
  }),
  records: z.array(dnsRecord).register(parts, {
    description:
      'The records to set in the DNS: one that proves the ownership, and one that directs visitors here, unless `certificate` has that.',
  }),
  certificate: nullable(
    z
      .strictObject({
        status: z.enum(certificateStatuses).register(parts, {
          description:
            "`PENDING_OWNERSHIP`: set the record in the domain's `records` first. `REQUESTED`: the certificate is being requested. " +
            '`PENDING_VALIDATION`: set the first record. `ISSUED`: the name is being made. `PENDING_TRAFFIC`: everything is ready; set the ' +
            'second record. `ACTIVE`: visitors are sent here. `EXPIRING`: so they are, but the certificate is not being renewed. `WAITING`: AWS ' +
            'cannot do the next step yet, and the service tries again. `FAILED`: `detail` says what somebody has to do.',
        }),
        records: z.readonly(z.array(dnsRecord)).register(parts, {
          description:
            'The records to set, as far as they are known: first that of the certificate, which must stay for renewals, then that for ' +
            'visitors. Set the second one only when it is shown, so that a domain that is in use moves without a gap.',
        }),
        detail: nullable(z.string()).register(parts, { description: 'What is missing or wrong, in a sentence.' }),
        wasReached: z.boolean().register(parts, { description: 'Whether the DNS has been seen to send visitors to the name.' }),
        checkedAt: nullable(timestamp).register(parts, { description: 'When AWS was last asked. Null if it never was.' }),
      })
      .register(parts, {
        id: 'DomainCertificate',
        description: 'The certificate and the name that the service makes for a domain.',
      }),
  ).register(parts, {
    description:
      'The certificate and the name that the service makes for the domain. Null if it makes none: on this stage, or because a custom ' +
      'domain of the operator covers the name.',
  }),
  rootUrl: nullable(z.string()).register(parts, { description: 'Where visitors of `/` are sent.' }),
  notFoundUrl: nullable(z.string()).register(parts, { description: 'Where visitors of an unknown slug or path are sent.' }),
  expiredUrl: nullable(z.string()).register(parts, {
    description: 'Where visitors of an expired or used-up link are sent.',
  }),
  accentColor: nullable(color).register(parts, { description: 'The colour of the buttons on the pages of the domain.' }),
  logoUrl: nullable(z.string()).register(parts, { description: 'The URL from which the logo of the pages was fetched.' }),
  publicQr: z.boolean().register(parts, { description: 'Whether anyone may fetch the QR codes of its links.' }),
  allowIndexing: z.boolean().register(parts, {
    description:
      'Whether search engines may list its short links. Otherwise, redirects, cards and frames say `X-Robots-Tag: noindex`.',
  }),
  createdAt: timestamp,
  verifiedAt: nullable(timestamp).register(parts, { description: 'When the ownership was proven.' }),
  lastCheck: nullable(
    z
      .strictObject({
        at: timestamp,
        wanted: dnsRecord,
        seen: nullable(z.readonly(z.array(z.string()))).register(parts, {
          description:
            'The values that the DNS had, at most five, shortened and in printable ASCII; empty if there were none. Null if the DNS did ' +
            'not answer. For a CNAME, these may be addresses.',
        }),
      })
      .register(parts, { id: 'LastCheck', description: 'What the last look at the DNS of a domain saw.' }),
  ).register(parts, { description: 'What the last `verify`, or the daily check, saw. Null before the first one.' }),
};

export const domain = exactly<ReturnType<typeof fullDomainView>>()(
  z
    .strictObject({
      ...domainFields,
      appleAppSiteAssociation: z.unknown().register(parts, {
        type: ['object', 'null'],
        additionalProperties: true,
        description: 'The object that `/.well-known/apple-app-site-association` returns; null for 404.',
      }),
      assetLinks: z.unknown().register(parts, {
        type: ['array', 'null'],
        items: { type: 'object', additionalProperties: true },
        description: 'The array that `/.well-known/assetlinks.json` returns; null for 404.',
      }),
    })
    .register(parts, { id: 'Domain', description: 'A domain that links are served on, or a claim to one.' }),
);

const domainInList = exactly<ReturnType<typeof domainView>>()(
  z
    .strictObject(domainFields)
    .register(parts, { id: 'DomainInList', description: 'A domain or a claim, without its files for apps.' }),
);

export const domainList = z.strictObject({ domains: z.array(domainInList), nextCursor }).register(parts, {
  id: 'DomainList',
  description: 'The domains and claims of the workspace, or a page of them, sorted by name.',
});

const webhookId = z.string().register(parts, { pattern: '^whk_[0-9A-Za-z]{16}$', examples: ['whk_0a1B2c3D4e5F6g7H'] });
const secretText = z.string().register(parts, {
  pattern: '^whsec_[0-9A-Za-z+/]+=*$',
  description: 'The secret that signatures are verified with (Standard Webhooks). Only this response shows it.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});

const webhookStatus = z
  .strictObject({
    state: z.enum(receiverStates),
    since: nullable(timestamp),
    error: nullable(z.string()),
    redirectsTo,
    backlog: nullable(
      z.strictObject({ oldestDueAt: timestamp }).register(parts, {
        description: 'Set if deliveries have been due for more than two minutes. `oldestDueAt`: when the first of them was due.',
      }),
    ),
  })
  .register(parts, {
    id: 'WebhookStatus',
    description:
      'The state of its URL. `failing`: every attempt since the last success has failed. `paused`: it has failed for three days. ' +
      '`gone`: it answered 410. `error` is the error of the last attempt. `backlog` says whether its deliveries fall behind: ' +
      'those that wait are lost 14 days after they were created.',
  });

const webhookFields = {
  id: webhookId,
  url: z.string().register(parts, { format: 'uri', examples: ['https://example.com/hooks/links'] }),
  events: z.array(z.enum(webhookEvents)).register(parts, { description: 'The events that are sent.' }),
  active: z.boolean().register(parts, { description: 'Whether events are sent to the webhook.' }),
  createdAt: timestamp,
};

const listedWebhook = exactly<ReturnType<typeof webhookView>>()(
  z.strictObject(webhookFields).register(parts, { id: 'ListedWebhook', description: 'A webhook of the workspace, in a list.' }),
);

export const webhook = z
  .strictObject({ ...webhookFields, status: webhookStatus })
  .register(parts, { id: 'Webhook', description: 'A webhook of the workspace.' });

export const newWebhook = z
  .strictObject({ ...webhookFields, status: webhookStatus, secret: secretText })
  .register(parts, { id: 'NewWebhook', description: 'A new webhook, with its first secret.' });

export const webhookList = z
  .strictObject({ webhooks: z.array(listedWebhook), nextCursor })
  .register(parts, { id: 'WebhookList', description: 'The webhooks of the workspace, or a page of them, oldest first.' });

const secretFields = {
  id: z.string().register(parts, { pattern: '^whs_[0-9A-Za-z]{16}$', examples: ['whs_7H6g5F4e3D2c1B0a'] }),
  webhookId: nullable(webhookId).register(parts, {
    description: "Null for the secrets of the `webhookUrls` of the workspace's links.",
  }),
  createdAt: timestamp,
  expiresAt: nullable(timestamp).register(parts, {
    description: 'When the secret ends. Null until there is a newer one.',
  }),
};

const webhookSecret = exactly<ReturnType<typeof secretView>>()(
  z.strictObject(secretFields).register(parts, { id: 'WebhookSecret', description: 'A valid secret, without its text.' }),
);

export const newWebhookSecret = exactly<ReturnType<typeof newSecretView>>()(
  z
    .strictObject({ ...secretFields, secret: secretText })
    .register(parts, { id: 'NewWebhookSecret', description: 'A new secret.' }),
);

export const webhookSecretList = z.strictObject({ secrets: z.array(webhookSecret), nextCursor }).register(parts, {
  id: 'WebhookSecretList',
  description:
    "The valid secrets, or a page of them: those of links' `webhookUrls` first, then those of each webhook, newest first.",
});

const readAt = z
  .string()
  .register(parts, { format: 'date-time', description: 'When the counts were read.', examples: ['2030-01-03T10:11:12.131Z'] });

/** A new schema each time, because a description belongs to one. */
const uniqueClicks = (description: string) => nullable(count()).register(parts, { description });

const ifCounted = 'Null if the operator does not have them counted.';

const rangeStart = () =>
  z.string().register(parts, {
    format: 'date-time',
    description: 'The start of the range, in UTC.',
    examples: ['2030-01-01T00:00:00.000Z'],
  });
const rangeEnd = () =>
  z.string().register(parts, {
    format: 'date-time',
    description: 'The end of the range, which is not included.',
    examples: ['2030-01-03T10:11:12.000Z'],
  });

const groupCount = z
  .strictObject({ value: z.string(), clicks: count(), uniqueClicks: uniqueClicks(ifCounted) })
  .register(parts, { id: 'GroupCount', description: 'A value of a dimension, and its clicks.' });

const groupRest = z
  .strictObject({
    values: count().register(parts, { description: 'How many values they have.' }),
    clicks: count(),
    uniqueClicks: uniqueClicks(ifCounted),
  })
  .register(parts, { id: 'GroupRest', description: 'The clicks of a dimension with other values than those of its group.' });

export const statistics = exactly<ReturnType<typeof statisticsView>>()(
  z
    .strictObject({
      from: rangeStart(),
      to: rangeEnd(),
      total: z.int().check(z.minimum(0)).register(parts, { description: 'The clicks of the range.' }),
      uniqueClicks: uniqueClicks(
        `The unique clicks of the range: those that were the first of their visitor on their link and day in UTC. ${ifCounted}`,
      ),
      readAt,
      series: z
        .array(
          z
            .strictObject({
              start: z.string().register(parts, {
                format: 'date-time',
                description: 'When the point starts, in UTC. It ends when the next one starts; the last one ends with the range.',
                examples: ['2030-01-02T00:00:00.000Z'],
              }),
              clicks: count(),
              uniqueClicks: uniqueClicks(ifCounted),
            })
            .register(parts, { id: 'SeriesPoint', description: 'The clicks of an hour, day, week or month.' }),
        )
        .register(parts, { description: 'The clicks over time, without gaps. They add up to `total`.' }),
      groups: z.record(z.string(), z.array(groupCount)).register(parts, {
        description:
          'The most frequent values of each dimension of `groupBy`, at most `groupLimit`, most clicks first. With the `rest`, they add up to ' +
          '`total`. Empty without `groupBy`.',
        propertyNames: { enum: rowDimensions },
      }),
      rest: z.record(z.string(), groupRest).register(parts, {
        description: 'For each dimension of `groupBy`, what its values beyond `groupLimit` have together.',
        propertyNames: { enum: rowDimensions },
      }),
    })
    .register(parts, { id: 'Statistics', description: 'Clicks over time, and by what is known about them.' }),
);

const clicksBefore = z
  .strictObject({ clicks: count(), uniqueClicks: uniqueClicks(ifCounted) })
  .register(parts, { id: 'PreviousClicks', description: 'The clicks of the range of the same length before.' });

export const topLinks = exactly<ReturnType<typeof topLinksView>>()(
  z
    .strictObject({
      from: rangeStart(),
      to: rangeEnd(),
      readAt,
      links: z.array(
        z
          .strictObject({
            id: linkId,
            shortUrl: nullable(z.string().register(parts, { format: 'uri' })).register(parts, {
              description: 'Null if the link was deleted.',
            }),
            title: nullable(z.string()).register(parts, { description: 'Null if it has none, or was deleted.' }),
            clicks: z.int().check(z.minimum(1)),
            uniqueClicks: uniqueClicks(ifCounted),
            previous: clicksBefore,
          })
          .register(parts, { id: 'TopLink', description: 'A link with its clicks.' }),
      ),
      nextCursor,
    })
    .register(parts, { id: 'TopLinks', description: 'A page of the links with the most clicks in a range.' }),
);

/** What a click says about its visitor. */
const visitorFields = {
  country: z.string().register(parts, { description: 'An ISO 3166-1 code of two letters.', examples: ['DE'] }),
  referrer: z.string().register(parts, {
    description: 'The site of the page with the link; `direct` if there was none.',
    examples: ['news.example.com'],
  }),
  device: z.string().register(parts, { examples: ['mobile'] }),
  browser: z.string().register(parts, { examples: ['Firefox'] }),
  os: z.string().register(parts, { description: 'The operating system.', examples: ['android'] }),
  language: z.string().register(parts, { description: "The first of the visitor's languages.", examples: ['de'] }),
  source: z.string().register(parts, {
    description: '`qr` if a QR code of the service was scanned, otherwise `link`.',
    examples: ['link'],
  }),
  variant: z.string().register(parts, {
    description: 'The id of the variant that the visitor got; `none` if the visitor got none.',
    examples: ['a'],
  }),
};

const clickId = z.string().register(parts, { pattern: '^[0-9A-Za-z]{22}$', examples: ['3hT2kQ9xWm4RsV0pLz7YbC'] });

/** A click in the body of a webhook. */
export const clickInWebhook = exactly<ReturnType<typeof clickInPayload>>()(
  z
    .strictObject({ id: clickId, at: timestamp, linkId, ...visitorFields })
    .register(parts, { description: 'A recorded click. What is not known about its visitor is `unknown`.' }),
);

const utm = (name: string, example: string) =>
  z.string().register(parts, {
    description: `\`utm_${name}\` of the short link's own query, in lower case; \`none\` if it had none.`,
    examples: [example],
  });

const click = exactly<ClickView>()(
  z
    .strictObject({
      id: nullable(clickId).register(parts, { description: 'Null some weeks after the month of the click.' }),
      at: z.string().register(parts, {
        format: 'date-time',
        description: 'When the visitor came, to the second.',
        examples: ['2030-01-02T03:04:05.000Z'],
      }),
      linkId,
      ...visitorFields,
      slug: z.string().register(parts, {
        description: 'By which of its slugs the link was reached.',
        examples: ['summer-sale'],
      }),
      path: z.string().register(parts, {
        description: 'What followed the slug, up to 3 segments, if the link has `forwardPath`; otherwise `none`.',
        examples: ['none'],
      }),
      utmSource: utm('source', 'newsletter'),
      utmMedium: utm('medium', 'email'),
      utmCampaign: utm('campaign', 'none'),
      domain: z.string().register(parts, {
        description: "The link's domain.",
        examples: ['go.example.com'],
      }),
      isUnique: nullable(z.boolean()).register(parts, {
        description: `Whether it was the first click of its visitor on the link and day in UTC. ${ifCounted}`,
      }),
    })
    .register(parts, { id: 'Click', description: 'A click. What is not known about it is `unknown`.' }),
);

const deliveryFields = {
  id: z.string().register(parts, {
    description: 'Sent as `webhook-id` in each attempt.',
    pattern: '^dlv_[0-9A-Za-z]{22}$',
    examples: ['dlv_0a1B2c3D4e5F6g7H8i9J0k'],
  }),
  type: z.enum(deliveryTypes),
  url: z.string().register(parts, { format: 'uri', examples: ['https://hooks.example.com/links'] }),
  webhookId: nullable(z.string()).register(parts, { description: "Null if the URL is one of a link's `webhookUrls`." }),
  linkId: nullable(linkId).register(parts, { description: 'The link of the event; null for a test.' }),
  shortUrl: nullable(z.string()).register(parts, {
    format: 'uri',
    description: 'The address of the link as it is now, or the one in the body if the link is gone. Null if neither is known.',
  }),
  state: z.enum(shownStates).register(parts, {
    description: 'A delivery is `paused` while nothing is sent to its URL, and `failed` once no attempt is left.',
  }),
  attempts: z
    .array(
      z
        .strictObject({
          at: timestamp,
          status: nullable(z.int()).register(parts, { description: 'Null if there was no response.' }),
          ms: z.int().register(parts, { description: 'How long it took, in milliseconds.' }),
          error: nullable(z.string()).register(parts, {
            description: 'Why it failed, such as `timeout`, `refused`, `redirect` or `status_500`. Null if it succeeded.',
          }),
          response: nullable(z.string()).register(parts, {
            description: 'The start of the response, at most 1 kB. Only the newest attempt has it.',
          }),
          redirectsTo: nullable(z.string()).register(parts, {
            description:
              'Where the response redirects to, as in the status of the URL. Redirects are not followed: use this address instead. ' +
              'Only the newest attempt has it.',
          }),
        })
        .register(parts, { id: 'DeliveryAttempt', description: 'An attempt to send a delivery.' }),
    )
    .register(parts, { description: `The newest ${attemptsPerDelivery} attempts, oldest first.` }),
  nextAttemptAt: nullable(timestamp),
  createdAt: timestamp,
};

export const delivery = exactly<ReturnType<typeof deliveryView>>()(
  z
    .strictObject(deliveryFields)
    .register(parts, { id: 'WebhookDelivery', description: 'A message for one URL about one event.' }),
);

export const deliveryDetails = exactly<ReturnType<typeof deliveryDetailsView>>()(
  z
    .strictObject({
      ...deliveryFields,
      body: z.string().register(parts, { description: 'The body that is sent, byte for byte.' }),
    })
    .register(parts, { id: 'WebhookDeliveryDetails', description: 'A delivery with the body that is sent.' }),
);

export const deliveryPage = z
  .strictObject({
    deliveries: z.array(delivery),
    nextCursor,
  })
  .register(parts, { id: 'WebhookDeliveryPage', description: 'A page of deliveries, newest first.' });

/** A link in the body of a webhook. */
export const linkInWebhook = exactly<ReturnType<typeof linkInPayload>>()(
  z
    .strictObject({
      id: linkId,
      shortCode: z.string(),
      domain: z.string(),
      shortUrl: z.string().register(parts, { format: 'uri' }),
      aliases: z.array(z.string()),
      url: z.string(),
      title: nullable(z.string()),
      isActive: z.boolean(),
      startsAt: nullable(timestamp),
      expiresAt: nullable(timestamp),
      maxClicks: nullable(z.int().check(z.minimum(1))),
      tagIds: z.array(tagId),
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    .register(parts, { description: 'A link as a webhook shows it. A deleted link has only its `id`.' }),
);

/** The body of a webhook. @param has which members `data` has. */
export const webhookPayload = (type: DeliveryType, has: { readonly link: boolean; readonly click: boolean }) =>
  z.strictObject({
    type: z.literal(type),
    timestamp,
    data: z.strictObject({ ...(has.link && { link: linkInWebhook }), ...(has.click && { click: clickInWebhook }) }),
  });

export const clickPage = z
  .strictObject({
    clicks: z.array(click),
    nextCursor: nullable(z.string()).register(parts, {
      description: 'Send it as `cursor`, with the same parameters, to get the next page. Null on the last page.',
    }),
  })
  .register(parts, { id: 'ClickPage', description: 'A page of clicks, newest first.' });

const noId = z.null();

const actor = z
  .union([
    z
      .strictObject({ type: z.literal('key'), id: z.string(), name: nullable(z.string()) })
      .register(parts, { id: 'KeyActor', description: 'An API key.' }),
    z.strictObject({ type: z.literal('member'), id: z.string(), name: nullable(z.string()) }).register(parts, {
      id: 'MemberActor',
      description:
        'A member who has signed in. In the history, the name is the one that they have now, or else their email address (with ` (not verified)` ' +
        'behind it unless the provider has verified it), or `former member`.',
    }),
    z
      .strictObject({ type: z.literal('operator'), id: noId, name: z.string() })
      .register(parts, { id: 'OperatorActor', description: 'The operator, with a command.' }),
    z
      .strictObject({ type: z.literal('service'), id: noId, name: noId })
      .register(parts, { id: 'ServiceActor', description: 'The service by itself.' }),
  ])
  .register(parts, {
    id: 'HistoryActor',
    description: `Who made the change: a key, with up to ${actorNameLength} characters of the name that it had; a member; the operator, with the name of the command; or the service.`,
  });

const keyId = z.string().register(parts, {
  pattern: '^key_[0-9A-Za-z_-]{43}$',
  examples: ['key_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bTn3yWc8R'],
});

const keyFields = {
  id: keyId,
  prefix: z.string().register(parts, { description: 'How the key begins, to recognise it.', examples: ['lk_5kzV'] }),
  name: nullable(z.string()).register(parts, { description: 'What the key is for.' }),
  permissions: z.array(z.enum(permissions)).register(parts, { description: 'What the key may do.' }),
  createdAt: timestamp,
  createdBy: actor,
  expiresAt: nullable(timestamp).register(parts, { description: 'The key is refused from then on. Null if it does not expire.' }),
  lastUsedAt: nullable(timestamp).register(parts, {
    description: 'When the key was last used, updated at most once a minute. Null if it never was.',
  }),
  revokedAt: nullable(timestamp).register(parts, {
    description: `When the key was revoked. It is still shown for ${revokedKeyDays} days. Null if it is not revoked.`,
  }),
  replaces: nullable(z.string()).register(parts, { description: 'The key that this one replaces.' }),
  replacedBy: nullable(z.string()).register(parts, { description: 'The key that replaces this one.' }),
};

export const apiKey = exactly<ReturnType<typeof keyView>>()(
  z
    .strictObject(keyFields)
    .register(parts, { id: 'ApiKey', description: 'An API key of the workspace, without the key itself.' }),
);

export const newApiKey = exactly<ReturnType<typeof newKeyView>>()(
  z
    .strictObject({
      ...keyFields,
      key: z.string().register(parts, {
        description: 'The key itself. No other response shows it.',
        pattern: '^lk_[0-9A-Za-z]{36}$',
        examples: ['lk_5kzVq0bTn3yWc8Rj1sXgAfE2hLmP5kzVq0bT'],
      }),
    })
    .register(parts, { id: 'NewApiKey', description: 'A new API key, with the key itself.' }),
);

export const apiKeyPage = z
  .strictObject({
    keys: z.array(apiKey),
    nextCursor: nullable(z.string()).register(parts, {
      description: 'Send it as `cursor` to get the next page. Null on the last page.',
    }),
  })
  .register(parts, { id: 'ApiKeyPage', description: 'A page of API keys, newest first.' });

const memberFields = {
  id: z.string().register(parts, { pattern: '^mbr_[0-9A-Za-z]{16}$', examples: ['mbr_0a1B2c3D4e5F6g7H'] }),
  email: z.string().register(parts, {
    description:
      'As invited; once the invitation is accepted, the address of the last sign-in at which the provider had verified it. Only of somebody ' +
      'who never had a verified one, it is that of the last sign-in.',
    examples: ['ada@example.com'],
  }),
  emailVerified: nullable(z.boolean()).register(parts, {
    description:
      'Whether the provider has verified the address. Unless true, it is only what somebody calls themselves. Null if the provider does ' +
      'not say, or if nobody has accepted the invitation.',
  }),
  name: nullable(z.string()).register(parts, { description: 'The name of the last sign-in. Null if the provider gives none.' }),
  role: z.enum(roles).register(parts, { description: 'What the member may do.' }),
  state: z.enum(['invited', 'pending', 'active']).register(parts, {
    description:
      'An `invited` member has not accepted yet. A `pending` one has, and waits for somebody to approve, because the provider does not say ' +
      'whether the email address is theirs.',
  }),
  createdAt: timestamp,
  lastSignedInAt: nullable(timestamp).register(parts, { description: 'Null if they never have.' }),
};

export const member = exactly<ReturnType<typeof memberView>>()(
  z
    .strictObject(memberFields)
    .register(parts, { id: 'Member', description: 'A person who may use the workspace, or is invited.' }),
);

export const invitedMember = exactly<ReturnType<typeof invitedView>>()(
  z
    .strictObject({
      ...memberFields,
      invitationUrl: z.string().register(parts, {
        format: 'uri',
        description: `The link to give to the person. It works once, for ${invitationDays} days. No other response shows it.`,
        examples: [`https://links.example.com/console#invitation=inv_${'0123456789'.repeat(6)}0123`],
      }),
    })
    .register(parts, { id: 'InvitedMember', description: 'A new member, with the link of the invitation.' }),
);

export const memberPage = z
  .strictObject({
    members: z.array(member),
    nextCursor: nullable(z.string()).register(parts, {
      description: 'Send it as `cursor` to get the next page. Null on the last page.',
    }),
  })
  .register(parts, { id: 'MemberPage', description: 'A page of members, newest first.' });

const fieldChange = z
  .strictObject({ from: z.unknown(), to: z.unknown() })
  .register(parts, { id: 'FieldChange', description: 'The former and the new value of a field.' });

const historyEntry = exactly<ReturnType<typeof entryView>>()(
  z
    .strictObject({
      id: z.string().register(parts, {
        pattern: '^his_(0|[0-9]{17}[1-9][0-9]{0,39}|D[0-9A-Za-z]{16})$',
        description: 'Unique in the history of its subject.',
        examples: ['his_20301231000000000300000000000000499659'],
      }),
      at: timestamp,
      actor,
      requestId: nullable(z.string()).register(parts, {
        description: 'The same for all changes of one request. If a link was imported, its creation has the id of the import.',
      }),
      action: z.enum(actions),
      subject: z.strictObject({ type: z.enum(subjectTypes), id: z.string(), name: z.optional(z.string()) }).register(parts, {
        id: 'HistorySubject',
        description:
          'What was changed: the id of a link, tag, key or member, or the name of a domain. Of a member, also what they are called now.',
      }),
      changes: z.record(z.string(), fieldChange).register(parts, {
        description:
          'The fields that were changed, as requests name them, with their former and new values. `null` means that the field was empty. ' +
          'A password is shown as `changed`. The entry of a deletion has the values that were lost, and that of the creation of a key or member those that it got.',
      }),
      shortUrl: nullable(z.string()).register(parts, {
        format: 'uri',
        description:
          'The address of the link as it is now, or the last one that the entry knows if the link is gone. Null if the entry is about ' +
          'something else, or knows none.',
      }),
      restoredAs: z.optional(z.string()).register(parts, {
        pattern: '^(lnk_[0-9A-Za-z]{28}|tpl_[0-9A-Za-z]{16})$',
        description: 'The link that was made again, or the template that is back. Only deletions that were undone have it.',
      }),
    })
    .register(parts, { id: 'HistoryEntry', description: 'A change of a link, tag, template, domain, key or member.' }),
);

export const historyPage = z
  .strictObject({
    entries: z.array(historyEntry),
    nextCursor,
  })
  .register(parts, { id: 'HistoryPage', description: 'A page of the history, newest first.' });

export const problem = z
  .strictObject({
    type: z
      .string()
      .register(parts, { description: '`urn:problem:links:` followed by the code, which docs/api/errors.md explains.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: errorCode,
    requestId: z.string(),
    errors: z.optional(
      z.array(
        z
          .strictObject({
            path: z.string().register(parts, {
              description:
                'A JSON Pointer (RFC 6901) into the body. Empty for the body itself, a header, a query parameter or a DNS record.',
            }),
            code: ruleCode,
            message: z.string(),
          })
          .register(parts, { id: 'FieldError', description: 'One broken rule.' }),
      ),
    ),
  })
  .register(parts, { id: 'Problem', description: 'A problem document (RFC 9457).' });

export type Json = { [key: string]: unknown };

/** A reference to a part with an id. */
export const refTo = (schema: z.core.$ZodType): Json => ({ $ref: `#/components/schemas/${parts.get(schema)?.id}` });
