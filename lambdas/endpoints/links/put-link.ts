import * as z from 'zod/mini';
import { RequestError, RuleError } from '../../core/errors.ts';
import { parseDomainName } from '../../core/host/host.ts';
import { parseExternalId } from '../../core/link/external-id.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { isPassword, passwordChange } from '../../core/link/password.ts';
import { differing, withDefaults } from '../../core/link/put-settings.ts';
import { capitalised } from '../../core/text.ts';
import { urlsOf } from '../../core/webhook/webhook.ts';
import { type ApiEvent, pathParameter } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { checkPreconditions, replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { linkSettings } from '../../http/link-settings.ts';
import { mergeUtm, utmFields } from '../../http/links/utm.ts';
import { showLink, shownLink } from '../../http/shown/link.ts';
import { type WithTagIds, withTagIds } from '../../links/given-tags.ts';
import { makeLink, prepareLink, type WantedLink } from '../../links/new-link.ts';
import { newSettings, type SentSettings } from '../../links/new-settings.ts';
import { addToMetrics } from '../../runtime/metrics.ts';
import { setting } from '../../runtime/settings.ts';
import { destinationChecks } from '../../store/hosts/destinations.ts';
import { newCreation } from '../../store/idempotency/requests.ts';
import { takeOwnGuess } from '../../store/limits/password-guesses.ts';
import { checkEdits, type LinkEdits, updateLink } from '../../store/links/changes.ts';
import type { LinkDetails } from '../../store/links/details.ts';
import { getLinkByExternalId } from '../../store/links/external-ids.ts';
import type { FoundLink } from '../../store/links/links.ts';
import { liveTags, refuseUnknownTags } from '../../store/links/tagging.ts';
import { overtaken, retrying } from '../../store/table/retrying.ts';
import { resumeUrls } from '../../store/webhooks/status.ts';
import { linkView } from '../../views/link.ts';

export const body = z.strictObject({
  ...linkSettings,
  ...utmFields,
  domain: z.string(),
  url: field.destination,
  customSlug: z.optional(field.slug),
});

/** The link that the client wants, with tags by their ids. */
type Wanted = WithTagIds<WantedLink> & { readonly externalId: string };

const checks = destinationChecks();
const show = showLink(checks.blockedNow);

/**
 * Creates the link with an external id, or replaces it. If somebody else creates, changes or deletes it at the same
 * time, this starts again.
 */
export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const { domain, ...sent } = mergeUtm(body);
  const externalId = externalIdIn(event);
  const origin = setting('SHORT_URL_ORIGIN');
  refuseContradiction(sent);
  const wanted = { ...(await withTagIds(workspaceId, sent)), externalId };
  return retrying(async () => {
    const found = await getLinkByExternalId(workspaceId, externalId);
    const isAsKnown = await checkPreconditions(event, found && (() => show(found)));
    if (found) {
      const replaced = await ifOvertaken(
        replace(found, domain, wanted),
        isAsKnown ? ['not_found'] : ['not_found', 'precondition_failed'],
      );
      return replaced === overtaken ? overtaken : replyTagged(event, 200, await show(replaced));
    }
    const made = await ifOvertaken(create(workspaceId, domain, wanted), ['external_id_taken']);
    if (made === overtaken) return overtaken;
    addToMetrics({ LinksCreated: 1 });
    const view = linkView(made, origin);
    const Location = event.requestContext.path.replace(/\/by-external-id\/[^/]*$/, `/${view.id}`);
    return replyTagged(event, 201, shownLink(view), { Location });
  });
});

/**
 * `overtaken` if the work is refused with one of the codes, because the link has changed since it was read.
 *
 * @throws other errors unchanged
 */
async function ifOvertaken<T>(work: Promise<T>, codes: readonly string[]): Promise<T | typeof overtaken> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RequestError && codes.includes(error.code)) return overtaken;
    throw error;
  }
}

async function create(workspaceId: string, host: string, wanted: Wanted): Promise<LinkDetails> {
  const prepared = await prepareLink(checks, workspaceId, host, wanted);
  try {
    return await makeLink(prepared, newCreation());
  } catch (error) {
    // Somebody else may just have created the link with this external id.
    const isTaken = error instanceof RequestError && error.code === 'slug_taken';
    if (isTaken && (await getLinkByExternalId(workspaceId, wanted.externalId)))
      throw new RequestError('external_id_taken', error.message);
    throw error;
  }
}

/**
 * Changes the settings that differ, if the link hasn't changed since it was read. If nothing differs, nothing is
 * written, so a client that sends all its links every hour pays only for reads.
 */
async function replace(found: FoundLink, host: string, wanted: Wanted): Promise<FoundLink> {
  const { link } = found;
  const { workspaceId } = link;
  if (parseDomainName(host) !== link.domain) throw otherDomain(link.domain);
  const { customSlug, externalId: _, password, tagPaths, ...sent } = wanted;
  await checks.refuseDestinations(sent, { before: link });
  const changes = differing(withDefaults(sent), link);
  const edits = { ...(await newSettings(workspaceId, changes, link)), customSlug, tagPaths };
  // A change of tags checks this itself.
  if (!changes.tagIds && sent.tagIds) refuseUnknownTags(sent.tagIds, await liveTags(workspaceId, sent.tagIds), tagPaths);
  const passwordHash = await passwordChange(await newPassword(found, edits, password));
  // First, because after the update, a retry would find no difference.
  await resumeUrls(workspaceId, urlsOf(changes.webhookUrls));
  return updateLink(found, { ...edits, ...passwordHash }, { asRead: true });
}

/**
 * The password to set; undefined if none was sent, or if the link already has it.
 *
 * A key that can change links must not find out their passwords. So a password is compared only if the rest of the
 * request is accepted: then a wrong guess replaces the password. Because that write can be made to fail, guesses are
 * limited too. Beyond the limit, nothing is compared, and the password is set again.
 */
async function newPassword(found: FoundLink, edits: LinkEdits, password: SentSettings['password']) {
  const { link } = found;
  if (password == null || link.passwordHash === null) return password === link.passwordHash ? undefined : password;
  await checkEdits(found, edits);
  const guess = await takeOwnGuess(link);
  if ('retryAfter' in guess || !(await isPassword(link.passwordHash, password))) return password;
  await guess.giveBack();
  return undefined;
}

const otherDomain = (domain: string) => {
  const message = `must be ${domain}, because a link cannot change its domain`;
  return new RequestError('domain_mismatch', `/domain ${message}.`, {
    fieldErrors: [{ path: '/domain', code: 'domain_mismatch', message }],
  });
};

function externalIdIn(event: ApiEvent): string {
  try {
    return parseExternalId(pathParameter(event, 'externalId'));
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const message = `the external id in the path ${error.message}`;
    throw new RequestError('validation_failed', `${capitalised(message)}.`, {
      fieldErrors: [{ path: '', code: error.code, message }],
    });
  }
}
