import { type Link, type LinkSettings, originOf, urlToBeFramed } from '../domain/link.ts';
import { passwordChange } from '../domain/password.ts';
import { framingChanges, type TakeLookUps } from './framing-changes.ts';

/** Settings as a request has them: the password itself, and nothing that is found out. */
export type SentSettings = Partial<Omit<LinkSettings, 'passwordHash' | 'unframeableUrl'>> & {
  readonly password?: string | null | undefined;
};

/** A link that the settings are for: as it is, or the domain of one to be created. */
export type SettingsFor = Pick<Link, 'domain'> & Partial<Link>;

/** Settings as a link has them: with a hash for the password, and with the destination if it refuses frames. */
export type NewSettings = Omit<SentSettings, 'password'> & Pick<Partial<LinkSettings>, 'passwordHash' | 'unframeableUrl'>;

/**
 * Turns the settings that were sent into those of each link: hashes the password once, and asks the destinations of
 * cloaked links whether they allow frames. To be called once the request has been found to be in order, since both take
 * time.
 *
 * @param origin of short URLs, with `{domain}` for the link's domain.
 * @param take takes look-ups of what the workspace may have.
 * @returns an entry for each link.
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
  return links.map((_, place) => ({ ...changes, ...framing[place] }));
}
