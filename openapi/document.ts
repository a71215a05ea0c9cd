import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { linksPerRequest, overlapSeconds } from '../lambdas/core/limits.ts';
import { type DeliveryType, deliveryTypes } from '../lambdas/core/webhook/delivery.ts';
import { sourceOf } from '../lib/bundles.ts';
import { type Route, routes, waysTo } from '../lib/endpoints.ts';
import { fields, parameters, requestParts, switches } from './fields.ts';
import { headers } from './headers.ts';
import { linkComponents } from './links.ts';
import { type Operation, operations } from './operations.ts';
import { operationOf, type QuerySchemas } from './paths.ts';
import { responseComponents } from './responses.ts';
import { clickInWebhook, type Json, linkInWebhook, parts, webhookPayload } from './schemas.ts';

/** The content of `openapi.json`. */
export async function openApiText(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return `${JSON.stringify(await openApiDocument(version), undefined, 2)}\n`;
}

/** What an endpoint's module exports about its requests. */
type Endpoint = { readonly body?: z.core.$ZodType; readonly isBodyOptional?: boolean; readonly query?: z.core.$ZodType };

/**
 * The API as an OpenAPI 3.1 document. Requests come from the schemas that validate them, routes and permissions from
 * `lib/endpoints.ts`, error statuses from `lambdas/http/problems.ts`.
 */
async function openApiDocument(version: string): Promise<Json> {
  const paths: Record<string, Json> = {};
  const requests: Record<string, Json> = {};
  const events: Record<string, Json> = {};
  const { body: bulkUpdate } = await import('../lambdas/endpoints/links/bulk-update-links.ts');
  requestParts.add(bulkUpdate._zod.def.shape.fields, { id: 'LinkSettings' });
  for (const route of routes) {
    const operation = operations[route.name];
    if (!operation) throw new Error(`openapi/operations.ts does not describe ${route.name}`);
    const { body, isBodyOptional = false, query }: Endpoint = await import(sourceOf(route.name));
    const request = body && { name: requestName(route), isRequired: !isBodyOptional };
    if (body && request) requests[request.name] = requestSchema(body, requests);
    for (const [index, { method, path }] of waysTo(route).entries()) {
      const name = index === 0 ? route.name : `${route.name}-by-${method.toLowerCase()}`;
      const way = { ...route, name, method, path };
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: operationOf(way, operation, request, querySchemas(query, operation.parameters)),
      };
    }
  }
  await describeImports(requests);
  describeBulk(requests);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Links',
      version,
      description: 'A link shortener for your own AWS account.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'http://127.0.0.1:3000', description: 'On a laptop: `npm start`.' },
      {
        url: 'https://{api}.execute-api.{region}.amazonaws.com/{stage}',
        description:
          'On AWS: the output `ApiUrl` of the stack `Links-<stage>-Api`, which has another name if the stage has an `apiDomain`.',
        variables: {
          api: { default: 'a1b2c3d4e5' },
          region: { default: 'eu-central-1' },
          stage: { default: 'dev', enum: ['dev', 'staging', 'prod'] },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Caller', description: 'The key of the request, and what its workspace may do.' },
      { name: 'Links', description: 'Short links on the domains of the workspace.' },
      { name: 'Tags', description: 'Labels that group links.' },
      { name: 'Templates', description: 'Settings for new links, under a name.' },
      { name: 'Domains', description: 'Domains that links are served on.' },
      { name: 'Webhooks', description: 'URLs that are notified of what happens to links.' },
      { name: 'Webhook events', description: 'The notifications that those URLs receive.' },
      { name: 'Statistics', description: 'The clicks of links: counted, listed and erased.' },
      { name: 'History', description: 'Who changed links, tags, templates, domains, keys and members, and how.' },
      { name: 'Keys', description: 'The API keys of the workspace.' },
      { name: 'Members', description: 'The people who may use the workspace.' },
    ],
    paths,
    webhooks: webhookEvents(events),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lk_ followed by 36 letters and digits',
          description: 'An API key of the workspace. `npm run admin -- keys create` or `POST /api/v1/keys` shows it once.',
        },
      },
      headers,
      links: linkComponents(),
      responses: responseComponents(),
      schemas: { ...events, ...responseSchemas(), ...requests },
    },
  };
}

/** The parts of events that are components of the document, by their names. */
const eventParts = z.registry<{ id: string }>();
eventParts.add(linkInWebhook, { id: 'LinkInEvent' });
eventParts.add(clickInWebhook, { id: 'ClickInEvent' });

/**
 * What the service sends to URLs that receive webhooks: one operation for each type of event.
 *
 * @param components gets the schemas of the events.
 */
function webhookEvents(components: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    deliveryTypes.map((type) => {
      const has = { link: type !== 'webhook.test', click: type === 'link.clicked' };
      const operationId = type.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase());
      const name = `${operationId.replace(/^./, (letter) => letter.toUpperCase())}Event`;
      const { $defs, ...schema } = componentsOf(
        z.toJSONSchema(webhookPayload(type, has), {
          metadata: eventParts,
          override: ({ zodSchema, jsonSchema }) => {
            const { id: _, ...known } = parts.get(zodSchema) ?? {};
            Object.assign(jsonSchema, known);
            // New fields may be added.
            delete jsonSchema.additionalProperties;
            // A deleted link has nothing else.
            if (zodSchema === linkInWebhook) jsonSchema.required = ['id'];
          },
        }),
      );
      Object.assign(components, { [name]: schema }, $defs);
      const post = {
        operationId,
        // Not the tag of the operations: generators would write both into the same file.
        tags: ['Webhook events'],
        summary: webhookSummaries[type],
        description: 'Signed by Standard Webhooks: verify `webhook-signature` (docs/webhooks.md). Sent at least once.',
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
        responses: {
          '2XX': { description: 'The receiver has accepted it. Any other response, or none within 15 seconds, is a failure.' },
        },
      };
      return [type, { post }];
    }),
  );
}

/** A schema of zod with its definitions, as components of the document. */
function componentsOf(schema: object): Json & { $defs: Record<string, Json> } {
  const {
    $schema,
    $defs = {},
    ...rest
  } = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json & {
    $defs?: Record<string, Json>;
  };
  return { ...rest, $defs };
}

const webhookSummaries: Readonly<Record<DeliveryType, string>> = {
  'link.clicked': 'A link was clicked',
  'link.cap_reached': "A click has used up a link's `maxClicks`",
  'link.created': 'A link was created',
  'link.updated': 'A link was changed',
  'link.deleted': 'A link was deleted',
  'webhook.test': 'A test of the webhook',
};

/** `bulk-create-links` becomes `BulkCreateLinksRequest`. */
const requestName = ({ name }: Route): string =>
  `${name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}Request`;

/** The schema of each query parameter of an endpoint. @param particular what only this endpoint's parameters have. */
function querySchemas(query: z.core.$ZodType | undefined, particular: Operation['parameters'] = {}): QuerySchemas {
  if (!query) return {};
  const { properties = {}, required = [] } = requestSchema(query) as { properties?: Record<string, Json>; required?: string[] };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { schema: { ...schema, ...parameters[name], ...particular[name] }, required: required.includes(name) },
    ]),
  );
}

/**
 * The schema of a body, as far as JSON Schema can express it.
 *
 * @param components gets its parts that have a name.
 */
function requestSchema(body: z.core.$ZodType, components: Record<string, Json> = {}): Json {
  const { $defs, ...schema } = componentsOf(
    z.toJSONSchema(body, {
      io: 'input',
      metadata: requestParts,
      override: ({ zodSchema, jsonSchema, path }) => {
        // The last part of the path is the property's name.
        Object.assign(jsonSchema, fields.get(zodSchema) ?? switches[String(path.at(-1))]);
      },
    }),
  );
  Object.assign(components, $defs);
  return schema;
}

/** An import accepts anything as a link and reports each invalid one. The document describes the valid ones. */
async function describeImports(requests: Record<string, Json>): Promise<void> {
  const { linkBody } = await import('../lambdas/endpoints/links/bulk-create-links.ts');
  requests.ImportLink = requestSchema(linkBody);
  const { properties } = requests.BulkCreateLinksRequest as { properties: { domain: Json; links: Json } };
  properties.domain.description = 'A domain that the workspace has proven to own.';
  properties.links.maxItems = linksPerRequest;
  properties.links.items = { $ref: '#/components/schemas/ImportLink' };
  properties.links.description = 'Anything else is listed under `failed`, and does not affect the other links.';
}

/** Describes the fields of requests that are not fields of a link. */
function describeBulk(requests: Record<string, Json>): void {
  const propertiesOf = (name: string) => (requests[name] as { properties: Record<string, Json> }).properties;
  Object.assign(propertiesOf('CreateDomainRequest').domain ?? {}, {
    description:
      'A domain name of two or more labels, not a public suffix, address, URL or wildcard. Converted to lower case and ASCII (IDNA).',
    examples: ['go.example.com'],
  });
  for (const [name, about] of Object.entries({
    rootUrl: 'Where visitors of `/` are sent.',
    notFoundUrl: 'Where visitors of an unknown slug or path are sent.',
    expiredUrl: 'Where visitors of an expired or used-up link are sent.',
  })) {
    Object.assign(propertiesOf('UpdateDomainRequest')[name] ?? {}, {
      description: `${about} A URL like the \`url\` of a link, with the same errors; null for nowhere.`,
    });
  }
  for (const name of ['CreateLinkRequest', 'PutLinkRequest']) {
    Object.assign(propertiesOf(name).domain ?? {}, {
      description: 'A domain that the workspace has proven to own.',
      examples: ['go.example.com'],
    });
  }
  Object.assign(propertiesOf('CreateWebhookRequest').active ?? {}, { default: true });
  Object.assign(propertiesOf('CreateWebhookSecretRequest').webhookId ?? {}, {
    description: "The webhook that gets the secret; null or absent for the `webhookUrls` of the workspace's links.",
    examples: ['whk_0a1B2c3D4e5F6g7H'],
  });
  for (const name of ['CreateKeyRequest', 'UpdateKeyRequest', 'RotateKeyRequest']) {
    Object.assign(propertiesOf(name).expiresInSeconds ?? {}, {
      description: 'When the key expires, in seconds from now. Instead of `expiresAt`.',
      examples: [7_776_000],
    });
  }
  Object.assign(propertiesOf('RotateKeyRequest').overlapSeconds ?? {}, {
    description: 'For how long the old key stays valid. It never lives longer than before. With 0, it ends at once.',
    default: overlapSeconds.unlessAsked,
    examples: [3_600],
  });
  for (const name of ['BulkUpdateLinksRequest', 'BulkDeleteLinksRequest']) {
    Object.assign(propertiesOf(name).ids ?? {}, {
      description: 'The ids of the links, or `ext_` and their external ids. A link that is named twice counts once.',
      maxItems: linksPerRequest,
    });
  }
  Object.assign(requests.LinkSettings ?? {}, {
    description:
      'The fields to update on all of the links. `tagIds` and `tagNames` replace the whole list of each; the fields that add and ' +
      'remove tags leave the others as they are, and go with neither.',
  });
  for (const [verb, done] of [
    ['add', 'added to'],
    ['remove', 'removed from'],
  ]) {
    Object.assign(propertiesOf('LinkSettings')[`${verb}TagIds`] ?? {}, { description: `Tags that are ${done} the links.` });
    Object.assign(propertiesOf('LinkSettings')[`${verb}TagNames`] ?? {}, {
      description: `The same by their names, in addition to \`${verb}TagIds\`.`,
    });
  }
}

/** The components of responses. */
function responseSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(parts, {
    uri: (id) => `#/components/schemas/${id}`,
    metadata: parts,
    override: ({ jsonSchema }) => {
      // Later versions may add fields, and clients of this one must not refuse them.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // What is read-only in TypeScript may be sent.
      delete jsonSchema.readOnly;
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}
