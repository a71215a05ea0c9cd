import { type Link, type LinkSettings, originOf, urlToBeFramed } from '../core/link/link.ts';
import { hashPassword, passwordChange } from '../core/link/password.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { framingChanges, type TakeLookUps } from './framing-changes.ts';

/** Settings as a request has them: with a plain password, and without the results of checks. */
export type SentSettings = Partial<Omit<LinkSettings, 'passwordHash' | 'unframeableUrl'>> & {
  readonly password?: string | null | undefined;
};

/** A link that gets the settings: an existing one, or the domain of a new one. */
export type SettingsFor = Pick<Link, 'domain'> & Partial<Link>;

/** Settings as a link has them: with the password's hash, and with the destination if it refuses frames. */
export type NewSettings = Omit<SentSettings, 'password'> & Pick<Partial<LinkSettings>, 'passwordHash' | 'unframeableUrl'>;

/**
 * Converts the settings of a request to those of each link: hashes the password once, and asks the destinations of
 * cloaked links whether they allow framing. Both take time, so call it only after the request is validated.
 *
 * @param origin of short URLs, with `{domain}` for the link's domain.
 * @param take takes lookups from the workspace's hourly limit.
 * @returns the settings of each link, in order.
 */
export async function newSettings(
  { password, ...sent }: SentSettings,
  links: readonly SettingsFor[],
  origin: string,
  take: TakeLookUps,
): Promise<NewSettings[]> {
  const changes = { ...sent, ...(await passwordChange(password)) };
  const framing = await framingChanges(
    links.map((link) => ({ url: urlToBeFramed(link, sent), pageOrigin: originOf(link, origin) })),
    take,
  );
  return links.map((_, index) => ({ ...changes, ...framing[index] }));
}

/** How many passwords are hashed at a time: as many as Node has threads for it. */
const concurrentHashes = 4;

/**
 * The settings of many new links of a domain that take time to find out: the hash of each password, and whether each
 * destination refuses frames. Each password is hashed once, and each destination is asked once.
 */
export async function settingsOfMany(
  sent: readonly SentSettings[],
  domain: SettingsFor,
  origin: string,
  take: TakeLookUps,
): Promise<Pick<Partial<LinkSettings>, 'passwordHash' | 'unframeableUrl'>[]> {
  const passwords = [...new Set(sent.flatMap(({ password }) => password ?? []))];
  const hashes = await inParallel(passwords, concurrentHashes, hashPassword);
  const hashOf = new Map(passwords.map((password, index) => [password, hashes[index]]));
  const framing = await framingChanges(
    sent.map((one) => ({ url: urlToBeFramed({}, one), pageOrigin: originOf(domain, origin) })),
    take,
  );
  return sent.map(({ password }, index) => ({
    ...(password != null && { passwordHash: hashOf.get(password) ?? null }),
    ...framing[index],
  }));
}
