import { type Link, type LinkSettings, originOf, urlToBeFramed } from '../core/link/link.ts';
import { hashPassword } from '../core/link/password.ts';
import { framingChanges } from '../outbound/framing-changes.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { takeLookUps } from '../store/limits/framing-limit.ts';

/** Settings as a request has them: with a plain password, and without the results of checks. */
export type SentSettings = Partial<Omit<LinkSettings, 'passwordHash' | 'unframeableUrl'>> & {
  readonly password?: string | null | undefined;
};

/** A link that gets settings: an existing one, or the domain of a new one. */
type SettingsFor = Pick<Link, 'domain'> & Partial<Link>;

/** Results that take time: the password's hash, and the destination if it refuses frames. */
type FoundOut = Pick<Partial<LinkSettings>, 'passwordHash' | 'unframeableUrl'>;

/** Settings as links store them. */
type NewSettings<S> = Omit<S, 'password'> & FoundOut;

/** How many passwords are hashed at a time: Node has this many threads for it. */
const concurrentHashes = 4;

/**
 * Hashes each password once, and asks the destination of each cloaked link once whether it allows framing, up to the
 * workspace's hourly limit. Call it only after the request is validated.
 */
export async function findOut(
  workspaceId: string,
  wanted: readonly { readonly sent: SentSettings; readonly link: SettingsFor }[],
): Promise<FoundOut[]> {
  const passwords = [...new Set(wanted.flatMap(({ sent }) => sent.password ?? []))];
  const hashes = await inParallel(passwords, concurrentHashes, hashPassword);
  const hashOf = new Map(passwords.map((password, index) => [password, hashes[index]]));
  const origin = setting('SHORT_URL_ORIGIN');
  const framing = await framingChanges(
    wanted.map(({ sent, link }) => ({ url: urlToBeFramed(link, sent), pageOrigin: originOf(link, origin) })),
    (most) => takeLookUps(workspaceId, most),
  );
  return wanted.map(({ sent: { password } }, index) => ({
    ...(password !== undefined && { passwordHash: hashOf.get(password ?? '') ?? null }),
    ...framing[index],
  }));
}

/** A request's settings as the link stores them. */
export async function newSettings<S extends SentSettings>(workspaceId: string, sent: S, link: SettingsFor) {
  const [found] = await newSettingsOfEach(workspaceId, sent, [link]);
  return found as NewSettings<S>;
}

/** The same for several links. */
export async function newSettingsOfEach<S extends SentSettings>(
  workspaceId: string,
  sent: S,
  links: readonly SettingsFor[],
): Promise<NewSettings<S>[]> {
  const { password: _, ...others } = sent;
  const found = await findOut(
    workspaceId,
    links.map((link) => ({ sent, link })),
  );
  return found.map((one) => ({ ...others, ...one }));
}
