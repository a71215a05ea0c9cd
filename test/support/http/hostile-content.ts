import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { newDelivery } from '../../../lambdas/core/webhook/delivery.ts';
import type { Service, Workspace } from '../service/service.ts';
import { newPerson } from '../things/members.ts';
import { rawRequest } from './raw-request.ts';

/** Texts that would run as code, or change a page, wherever they were not escaped. */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror="window.ran=1"><script>window.ran=1</script><a href="javascript:window.ran=1">x</a>',
  '\u202Eevil\u2066 \u202Dtext\u2069 \u200Fback',
  '😀'.repeat(2_000),
  'Averylongwordwithoutanyspaces'.repeat(80),
  'javascript:window.ran=1',
  '"\'`{{constructor.constructor("window.ran=1")()}}',
];

type Schema = {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
};

const { schemas } = JSON.parse(readFileSync('openapi.json', 'utf8')).components as {
  schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, Schema>> }>>;
};

/** The text fields of a request, with the length that each may have. A new one is found by itself. */
function textFields(name: string): readonly (readonly [field: string, length: number])[] {
  const properties = schemas[name]?.properties;
  if (!properties) throw new Error(`openapi.json has no ${name}`);
  return Object.entries(properties).flatMap(([field, schema]) => {
    const text = [schema, ...(schema.anyOf ?? [])].find((one) => one.type === 'string' && one.enum === undefined);
    return text ? [[field, text.maxLength ?? 1_000] as const] : [];
  });
}

/** The beginning of a text, without half of a character at its end. */
export function cut(text: string, length: number): string {
  let taken = '';
  for (const character of text) {
    if (taken.length + character.length > length) break;
    taken += character;
  }
  return taken;
}

/**
 * Sends a request whose text fields are all hostile. A field that refuses the text gets an address with it, then letters of
 * its length, and is left out if it refuses those as well.
 *
 * @param schema of the request, in openapi.json.
 * @param wanted fields that are as they are.
 * @returns the answer, and the fields that took the hostile text as it is.
 */
async function sendHostile(
  workspace: Workspace,
  [method, path, schema]: readonly [method: string, path: string, schema: string],
  text: string,
  wanted: Readonly<Record<string, unknown>> = {},
) {
  const lengths = new Map(textFields(schema).filter(([field]) => !(field in wanted)));
  const forms = (length: number): readonly string[] => [
    cut(text, length),
    `https://example.com/?q=${encodeURIComponent(cut(text.replaceAll(/[\ud800-\udfff]/g, 'e'), 200))}`.slice(0, length),
    'ж'.repeat(Math.min(length, 64)),
  ];
  const tried = new Map([...lengths.keys()].map((field) => [field, 0]));
  for (;;) {
    const entries = [...tried].flatMap(([field, n]) => {
      const value = forms(lengths.get(field) ?? 0)[n];
      return value === undefined ? [] : [[field, value] as const];
    });
    const answer = await workspace.call(method, path, { ...Object.fromEntries(entries), ...wanted });
    const refused = (answer.body?.errors ?? []).map(({ path: at }: { path: string }) => at.split('/')[1]) as string[];
    const again = refused.filter((field) => tried.has(field) && (tried.get(field) ?? 0) < 3);
    if (answer.status < 400 || again.length === 0) {
      return { answer, taken: [...tried].filter(([, n]) => n === 0).map(([field]) => field) };
    }
    for (const field of new Set(again)) tried.set(field, (tried.get(field) ?? 0) + 1);
  }
}

/** A provider's claims about a person with a hostile name, and the response of a hostile receiver of webhooks. */
async function addPeopleAndReplies(workspaceId: string, webhook: { id: string; url: string }, text: string, n: number) {
  const { inviteMember } = await import('../../../lambdas/store/member-changes/invitations.ts');
  const { acceptInvitation } = await import('../../../lambdas/store/members/joining.ts');
  const { addDelivery, giveUp } = await import('../../../lambdas/store/webhooks/deliveries.ts');
  // An address takes no spaces, and its part before the @ is unchecked.
  const email = `${cut(text.replaceAll(/[\s@]/g, ''), 200)}@${n}.example.com`;
  for (const [number, emailVerified] of [true, undefined].entries()) {
    const { secret } = await inviteMember(workspaceId, { email: `${number}${email}`, role: 'editor' }, Date.now());
    const person = await newPerson({ email: `${number}${email}`, name: text, emailVerified });
    await acceptInvitation(person, secret, Date.now());
  }
  await inviteMember(workspaceId, { email, role: 'viewer' }, Date.now());
  const event = { workspaceId, linkId: null, type: 'webhook.test', key: String(n), body: JSON.stringify({ text }) } as const;
  const delivery = newDelivery(event, { webhookId: webhook.id, url: webhook.url }, Date.now());
  await addDelivery(delivery);
  const at = new Date().toISOString();
  await giveUp(delivery, {
    at,
    status: 500,
    ms: 7,
    error: 'status_500',
    response: cut(text, 1_000),
    redirectsTo: cut(text, 1_000),
  });
}

/** Fills a workspace with everything that the API stores, all of it hostile. @returns the fields that took it as it is. */
export async function fillWithHostile(
  service: Service,
  workspace: Workspace,
  texts: readonly string[],
): Promise<{ readonly linkIds: readonly string[]; readonly webhookId: string; readonly taken: ReadonlySet<string> }> {
  const { domain, call } = workspace;
  const taken = new Set<string>();
  const linkIds: string[] = [];
  let webhookId = '';
  const send = async (request: readonly [string, string, string], text: string, wanted = {}) => {
    const sent = await sendHostile(workspace, request, text, wanted);
    if (sent.answer.status >= 400) throw new Error(`${request.join(' ')} failed: ${sent.answer.text}`);
    for (const field of sent.taken) taken.add(`${request[2]}.${field}`);
    return sent.answer.body;
  };
  await call('POST', '/webhook-secrets', {});
  // One UTM parameter is enough: all of them make the destination too long.
  const noUtm = { utmMedium: null, utmCampaign: null, utmTerm: null, utmContent: null };
  for (const [n, text] of texts.entries()) {
    const tag = await send(['POST', '/tags', 'CreateTagRequest'], text, { name: `${'шщ'.repeat(30)} ${n}`, color: '#123456' });
    await send(['POST', '/templates', 'CreateTemplateRequest'], text, { domain, tagIds: [tag.id], ...noUtm });
    await send(['POST', '/keys', 'CreateKeyRequest'], text, {
      permissions: ['links:read'],
      expiresAt: null,
    });
    const webhook = await send(['POST', '/webhooks', 'CreateWebhookRequest'], text, { events: ['link.created', 'link.clicked'] });
    webhookId ||= webhook.id;
    await addPeopleAndReplies(workspace.id, webhook, text, n);
    await send(['PATCH', `/domains/${domain}`, 'UpdateDomainRequest'], text, { publicQr: true });
    const value = cut(text, 256);
    const { link } = await send(['POST', '/links', 'CreateLinkRequest'], text, {
      domain,
      url: `https://example.com/?${n}=${encodeURIComponent(cut(text.replaceAll(/[\ud800-\udfff]/g, 'e'), 300))}`,
      customSlug: `${n}${'-long-slug'.repeat(6)}`,
      tagIds: [tag.id],
      rules: [{ if: { query: { [value]: value } }, url: 'https://example.com/rule' }],
      variants: ['a', 'b'].map((id) => ({ id, url: `https://example.com/${id}`, weight: 1 })),
      startsAt: null,
      expiresAt: null,
      password: null,
      ...noUtm,
    });
    linkIds.push(link.id);
    await send(['PATCH', `/links/${link.id}`, 'UpdateLinkRequest'], [...text].reverse().join(''), {
      url: link.url,
      customSlug: link.shortCode,
      startsAt: null,
      expiresAt: null,
      password: null,
      utmSource: null,
      ...noUtm,
    });
    const host = text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
    await rawRequest(Number(new URL(service.baseUrl).port), [
      `GET /${link.shortCode} HTTP/1.1`,
      `Host: ${domain}`,
      `User-Agent: ${host}`,
      `Referer: https://evil.example/${encodeURIComponent(host)}`,
      `Accept-Language: ${host}`,
    ]);
  }
  // One request that changes many is one entry of the history, with an Undo of its own.
  const ids = linkIds.slice(0, 2);
  if (ids.length > 1) await call('PATCH', '/links/bulk', { ids, fields: { notes: cut(texts[0] ?? '', 200) } });
  const [gone] = linkIds.slice(-1);
  if (linkIds.length > 1 && gone) {
    await call('DELETE', `/links/${gone}`);
    linkIds.pop();
  }
  return { linkIds, webhookId, taken };
}

/** What `fillWithHostile` has made. */
type Things = { readonly linkIds: readonly string[]; readonly webhookId: string };

/** The addresses of the console after the workspace: each screen of its navigation, and those of one thing. */
export async function addressesIn(page: Page, { domain }: Workspace, { linkIds, webhookId }: Things): Promise<readonly string[]> {
  const nav = 'nav[aria-label="Screens"] a';
  await page.locator(nav).first().waitFor({ state: 'attached' });
  const hrefs = (await page.evaluate(`[...document.querySelectorAll('${nav}')].map((it) => it.href)`)) as string[];
  const screens = hrefs.map((href) => new URL(href).pathname.replace(/^.*\/console\/[^/]+/, ''));
  const link = linkIds[0];
  const things = [
    ...linkIds.flatMap((id) => [`/links/${id}`, `/links/${id}?edit=1`]),
    `/new?url=${encodeURIComponent('javascript:window.ran=1')}`,
    `/new?from=${link}`,
    `/links?q=${encodeURIComponent('<img src=x onerror="window.ran=1">'.repeat(4))}&tag=tag_0000000000000000`,
    ...(screens.includes('/domains') ? [`/domains/${domain}`] : []),
    ...(screens.includes('/webhooks') ? [`/webhooks/${webhookId}`] : []),
    ...['/statistics', '/history'].filter((screen) => screens.includes(screen)).map((screen) => `${screen}?of=${link}`),
  ];
  return [...screens, ...things];
}
