import * as z from 'zod/mini';
import {
  descriptionLength,
  linksPerPage,
  passwordLength,
  searchLength,
  titleLength,
  urlLength,
  webhooksPerLink,
} from '../lambdas/domain/limits.ts';
import * as field from '../lambdas/http/fields.ts';

/** What JSON Schema can say of a field beside its type. The rules themselves are code of the domain; none is refused here that passes there. */
type About = { description: string; [keyword: string]: unknown };

/** What is known of the fields of requests. Kept apart from them, so that no word of it is in a bundle. */
export const fields = z.registry<About>();

fields.add(field.destination, {
  description:
    'Where the link leads: an absolute http or https URL without credentials, at a public ' +
    'address or under a top-level domain (`destination_private`), not on a short domain of ' +
    'the service (`destination_short_domain`) and not on a host that its operator has blocked (`destination_blocked`). Stored as a browser ' +
    'would write it.',
  maxLength: urlLength,
  examples: ['https://example.com/landing?utm_source=mail'],
});
fields.add(field.slug, {
  description:
    'The path of the short URL. Matched without regard to case, kept as given. `api`, `ping` and `sping` are reserved.',
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  examples: ['summer-sale'],
});
fields.add(field.title, { description: 'A name for people.', maxLength: titleLength, examples: ['Summer sale'] });
fields.add(field.description, {
  description: 'A longer text for previews.',
  maxLength: descriptionLength,
  examples: ['All of July'],
});
fields.add(field.image, {
  description: 'A picture for previews: an http or https URL.',
  maxLength: urlLength,
  examples: ['https://example.com/sale.png'],
});
fields.add(field.redirectType, { description: 'The status that visitors are redirected with.' });
fields.add(field.timestamp, {
  description: 'ISO 8601 with a time zone. From then on the link answers 410; a past time means from now on.',
  examples: ['2030-01-01T00:00:00Z'],
});
fields.add(field.password, {
  description: 'Visitors have to give it. Kept as an Argon2id hash, and never returned.',
  minLength: 1,
  maxLength: passwordLength,
  writeOnly: true,
  examples: ['correct horse battery staple'],
});
fields.add(field.maxClicks, {
  description:
    'How many clicks the link takes, those before the cap was set included: a new cap starts at the larger of what earlier caps have used and `clickCount`. At or below what is used means used up. Removing a cap keeps what is used.',
  examples: [100],
});
fields.add(field.tagIds, {
  description: 'Replaces the whole list of tags. Repeated ids collapse, the order is kept.',
  examples: [['tag_0a1B2c3D4e5F6g7H']],
});
fields.add(field.metaPixelId, { description: 'Id of a Meta pixel.', pattern: '^[0-9]{1,32}$', examples: ['1234567890'] });
fields.add(field.googleTagId, {
  description: 'Measurement id of Google Analytics.',
  pattern: '^G-[A-Z0-9]{1,32}$',
  examples: ['G-AB12CD34EF'],
});
fields.add(field.webhookUrls, {
  description: `Up to ${webhooksPerLink} https URLs at public hosts, separated by commas. They are stored, and not called yet.`,
  examples: ['https://example.com/hooks/links,https://example.org/hook'],
});
fields.add(field.tagName, {
  description:
    'Letters, numbers, spaces, hyphens and underscores of any script, 1 to 64 once trimmed. Unique in the workspace, without regard to case.',
  examples: ['Summer 2030'],
});
fields.add(field.color, { description: 'Stored in lower case.', pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1a2b3c'] });

/** Fields that are true or false, by their names. */
export const switches: Readonly<Record<string, About>> = {
  isActive: { description: 'Whether the link redirects. One that does not answers 404.' },
  cloaked: { description: 'Whether the destination is shown in a frame under the short URL, where it allows that.' },
  forwardParameters: { description: "Whether the visitor's query parameters are passed on to the destination, whose own win." },
  blockBots: { description: 'Whether known bots are refused. Command lines and HTTP libraries are not bots.' },
};

/** Query parameters, by their names. */
export const parameters: Readonly<Record<string, About>> = {
  limit: {
    description: 'How many links a page has at most.',
    type: 'integer',
    minimum: 1,
    maximum: linksPerPage.most,
    default: linksPerPage.unlessAsked,
    examples: [50],
  },
  cursor: {
    description: 'The `nextCursor` of the page before. It is good for the same filter in the same workspace alone.',
  },
  tagId: { description: 'Only links that carry this tag.', examples: ['tag_0a1B2c3D4e5F6g7H'] },
  domain: { description: 'Only links on this domain.', examples: ['go.example.com'] },
  slug: { description: 'The slug, in any case.', examples: ['summer-sale'] },
  q: {
    description: 'Only links with this text in their slug, URL or title, in any case.',
    minLength: 1,
    maxLength: searchLength,
    examples: ['summer'],
  },
};
