import * as z from 'zod/mini';
import * as schema from '../clients/links-as-code/schema.ts';
import { ownerPattern } from '../lambdas/core/link/managed-by.ts';
import * as field from '../lambdas/http/fields.ts';
import { type About, fields, requestParts, switches } from './fields.ts';

/** Descriptions of the fields of a manifest that requests lack, or that differ there. */
const own = z.registry<About>();

own.add(schema.manifest, {
  title: 'Links as code',
  description: 'Links on one domain. `npm run links -- apply` makes them what this file says: docs/links-as-code.md.',
});
own.add(schema.owner, {
  description:
    'Who manages the links. Together with the domain, it is their `managedBy`. Unique among the manifests of a domain.',
  pattern: ownerPattern,
  examples: ['marketing'],
});
own.add(field.domainName, { description: 'The domain of the links.', examples: ['go.example.com'] });
own.add(schema.defaults, {
  description: 'Settings of all links that do not have them. If a link has a list, it replaces the list of the defaults.',
});
own.add(schema.tag, { description: 'A tag to create if the workspace does not have it. An existing one stays as it is.' });
own.add(field.tagNames, {
  description: 'The names of its tags, which must be in `tags` or exist in the workspace.',
  examples: [['news']],
});
own.add(schema.renamedFrom, { description: 'The former slug of the link, which becomes an alias. Leave it or remove it later.' });
own.add(schema.link, {
  description:
    'A link, by its slug. Absent fields get their value from `defaults`, or else the default of the API; an absent `isActive` is left alone. Passwords cannot be set here.',
});

/** The JSON Schema of manifests, for editors: the content of `clients/links-as-code/links.schema.json`. */
export function manifestSchemaText(): string {
  // Draft 7 is what the language servers of editors know best.
  const document = z.toJSONSchema(schema.manifest, {
    target: 'draft-7',
    io: 'input',
    metadata: requestParts,
    override: ({ zodSchema, jsonSchema, path }) => {
      Object.assign(jsonSchema, fields.get(zodSchema) ?? switches[String(path.at(-1))], own.get(zodSchema));
    },
  });
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
