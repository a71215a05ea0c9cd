import * as z from 'zod/mini';
import { notFound } from '../domain/errors.ts';
import { originOf, urlToBeFramed } from '../domain/link.ts';
import { passwordChange } from '../domain/password.ts';
import { checkIfMatch, isConditional, replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { linkSettings } from '../http/link-settings.ts';
import { framingChange } from '../outbound/framing-changes.ts';
import { setting } from '../runtime/settings.ts';
import { destinationChecks } from '../store/destinations.ts';
import { takeLookUps } from '../store/framing-limit.ts';
import { updateLink } from '../store/links/changes.ts';
import { detailsOfOne } from '../store/links/details.ts';
import { getLink } from '../store/links/links.ts';
import { linkView } from '../views/link.ts';

export const body = z.strictObject(linkSettings);

const { refuseDestination } = destinationChecks();

export const handler = endpoint({ body }, async ({ workspaceId, id, body: { password, ...changes }, event }) => {
  // Asked first, so that hashing a password and looking hosts up is not done for links that are not the caller's.
  const found = await getLink(workspaceId, id);
  if (!found) throw notFound('link');
  const origin = setting('SHORT_URL_ORIGIN');
  const asRead = isConditional(event);
  if (asRead) checkIfMatch(event, { link: linkView(await detailsOfOne(found), origin) });
  await refuseDestination('/url', changes.url);
  const framing = await framingChange(urlToBeFramed(found.link, changes), originOf(found.link, origin), (wanted) =>
    takeLookUps(workspaceId, wanted),
  );
  const settings = { ...changes, ...(await passwordChange(password)), ...framing };
  const changed = await updateLink(found, settings, { asRead });
  return replyTagged(event, 200, { link: linkView(await detailsOfOne(changed), origin) });
});
