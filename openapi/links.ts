import type * as z from 'zod/mini';
import type { Json } from './schemas.ts';
import * as schemas from './schemas.ts';

/**
 * What a caller can do next with a response, as links of OpenAPI: which operations take a value of it. Documentation
 * shows them, and stateful testers such as schemathesis follow them.
 */

/**
 * The parameters of an operation, by `<where>.<name>`, each an expression for its value. There are no bodies: validators
 * such as that of openapi-generator take only one that is a single expression.
 */
type Target = Readonly<Record<`${'path' | 'query'}.${string}`, string>>;
type Targets = Readonly<Record<string, Target>>;

const ofLink = (link: string): Targets => ({
  'get-link': { 'path.id': `${link}/id` },
  'lookup-link': { 'query.domain': `${link}/domain`, 'query.shortCode': `${link}/shortCode` },
  'put-link': { 'path.externalId': `${link}/externalId` },
  'update-link': { 'path.id': `${link}/id` },
  'delete-link': { 'path.id': `${link}/id` },
  'delete-link-alias': { 'path.id': `${link}/id`, 'path.slug': `${link}/aliases/0` },
  'delete-link-alias-by-slug': { 'path.id': `${link}/id`, 'query.slug': `${link}/aliases/0` },
  'get-link-qr': { 'path.id': `${link}/id` },
  'get-link-stats': { 'path.id': `${link}/id` },
  'list-clicks': { 'path.id': `${link}/id` },
  'delete-clicks': { 'path.id': `${link}/id` },
  'list-link-history': { 'path.id': `${link}/id` },
});

const ofTag = (tag: string): Targets => ({
  'get-tag': { 'path.id': `${tag}/id` },
  'update-tag': { 'path.id': `${tag}/id` },
  'delete-tag': { 'path.id': `${tag}/id` },
  'list-tag-links': { 'path.id': `${tag}/id` },
});

const ofTemplate = (template: string): Targets => ({
  'get-template': { 'path.id': `${template}/id` },
  'update-template': { 'path.id': `${template}/id` },
  'delete-template': { 'path.id': `${template}/id` },
});

const ofDomain = (domain: string): Targets => ({
  'get-domain': { 'path.domain': `${domain}/domain` },
  'update-domain': { 'path.domain': `${domain}/domain` },
  'verify-domain': { 'path.domain': `${domain}/domain` },
  'delete-domain': { 'path.domain': `${domain}/domain` },
});

const ofWebhook = (webhook: string): Targets => ({
  'get-webhook': { 'path.id': `${webhook}/id` },
  'update-webhook': { 'path.id': `${webhook}/id` },
  'test-webhook': { 'path.id': `${webhook}/id` },
  'list-webhook-deliveries': { 'query.webhookId': `${webhook}/id` },
  'delete-webhook': { 'path.id': `${webhook}/id` },
});

const ofDelivery = (delivery: string): Targets => ({
  'get-webhook-delivery': { 'path.id': `${delivery}/id` },
  'redeliver-webhook-delivery': { 'path.id': `${delivery}/id` },
});

const ofKey = (key: string): Targets => ({
  'get-key': { 'path.id': `${key}/id` },
  'update-key': { 'path.id': `${key}/id` },
  'rotate-key': { 'path.id': `${key}/id` },
  'delete-key': { 'path.id': `${key}/id` },
});

const ofMember = (member: string): Targets => ({
  'get-member': { 'path.id': `${member}/id` },
  'update-member': { 'path.id': `${member}/id` },
  'delete-member': { 'path.id': `${member}/id` },
});

const body = (pointer = ''): string => `$response.body#${pointer}`;

/** By the schema of the response. */
const targets = new Map<z.core.$ZodType, Targets>([
  [schemas.linkResponse, ofLink(body('/link'))],
  [schemas.linkPage, ofLink(body('/links/0'))],
  [schemas.rankedLinkPage, ofLink(body('/links/0'))],
  [schemas.bulkResponse, ofLink(body('/links/0'))],
  [schemas.tag, ofTag(body())],
  [schemas.tagList, ofTag(body('/tags/0'))],
  [schemas.template, ofTemplate(body())],
  [schemas.templateList, ofTemplate(body('/templates/0'))],
  [schemas.domain, ofDomain(body())],
  [schemas.domainList, ofDomain(body('/domains/0'))],
  [schemas.webhook, ofWebhook(body())],
  [schemas.newWebhook, ofWebhook(body())],
  [schemas.webhookList, ofWebhook(body('/webhooks/0'))],
  [schemas.newWebhookSecret, { 'delete-webhook-secret': { 'path.id': body('/id') } }],
  [schemas.webhookSecretList, { 'delete-webhook-secret': { 'path.id': body('/secrets/0/id') } }],
  [schemas.delivery, ofDelivery(body())],
  [schemas.deliveryPage, ofDelivery(body('/deliveries/0'))],
  // Only from a new key to its end: testers that follow links would revoke their own key.
  [schemas.newApiKey, ofKey(body())],
  [schemas.apiKeyPage, { 'get-key': { 'path.id': body('/keys/0/id') } }],
  [schemas.memberPage, { 'get-member': { 'path.id': body('/members/0/id') } }],
  [schemas.invitedMember, ofMember(body())],
  [schemas.topLinks, { 'get-link': { 'path.id': body('/links/0/id') } }],
]);

/** Links that depend on the request too, by the name of its operation. */
const particular: Readonly<Record<string, Targets>> = {
  'list-link-history': { 'revert-change': { 'path.id': '$request.path.id', 'path.entryId': body('/entries/0/id') } },
  'list-history': { 'restore-template': { 'path.id': body('/entries/0/subject/id'), 'path.entryId': body('/entries/0/id') } },
};

/** `create-link` becomes `createLink`. */
export const operationIdOf = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const linkTo = (name: string, parameters: Target): Json => ({ operationId: operationIdOf(name), parameters });

const componentName = (schema: z.core.$ZodType, target: string): string =>
  `${schemas.parts.get(schema)?.id}.${operationIdOf(target)}`;

/** The components that links of responses refer to. */
export const linkComponents = (): Record<string, Json> =>
  Object.fromEntries(
    [...targets].flatMap(([schema, all]) =>
      Object.entries(all).map(([name, target]) => [componentName(schema, name), linkTo(name, target)]),
    ),
  );

/**
 * The links of an operation's response.
 *
 * @param parameters the names of the operation's path and query parameters, as `<where>.<name>`. If `query.cursor` is one of
 *   them, the response is a page, and the link `nextPage` leads to the next one: with its `nextCursor`, and everything
 *   else as before.
 */
export function linksOf(name: string, schema: z.core.$ZodType | undefined, parameters: readonly string[]): Json {
  const shared = schema ? Object.keys(targets.get(schema) ?? {}).map((target) => [target, componentName(schema, target)]) : [];
  const own = Object.entries(particular[name] ?? {});
  return {
    ...Object.fromEntries(
      shared.map(([target = '', component]) => [operationIdOf(target), { $ref: `#/components/links/${component}` }]),
    ),
    ...Object.fromEntries(own.map(([target, one]) => [operationIdOf(target), linkTo(target, one)])),
    ...(parameters.includes('query.cursor') && {
      nextPage: {
        description: 'The next page, unless `nextCursor` is null. Send the other parameters of this request again.',
        ...linkTo(name, {
          ...Object.fromEntries(parameters.map((one) => [one, `$request.${one}`])),
          'query.cursor': body('/nextCursor'),
        }),
      },
    }),
  };
}
