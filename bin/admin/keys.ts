import { type Command, InvalidArgumentError, Option } from 'commander';
import { authorIn } from '../../lambdas/core/history/author.ts';
import type { ApiKey } from '../../lambdas/core/key/api-key.ts';
import { hasExpired } from '../../lambdas/core/key/key-expiry.ts';
import { defaultPermissions, type Permission, permissions } from '../../lambdas/core/key/permissions.ts';
import { parseTimestamp } from '../../lambdas/core/timestamp.ts';
import type { MadeApiKey } from '../../lambdas/store/api-keys/items.ts';
import type { RotationRefusal } from '../../lambdas/store/api-keys/rotation.ts';
import { ruled } from '../shared/arguments.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';
import { parseDuration } from './durations.ts';

/** What these commands share with the others: how a name is parsed, and how an action runs. */
type Shared = {
  readonly name: (text: string) => string;
  readonly workspaceOption: () => Option;
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
};

/** The options below as commander returns them: `expiry` is false for --no-expiry, and true without it. */
type ExpiryOptions = { readonly expiresAt?: string; readonly expiresIn?: number; readonly expiry?: boolean };

const permissionList = (text: string): Permission[] => {
  const list = text.split(',').map((one) => one.trim());
  const unknown = list.find((one) => !(permissions as readonly string[]).includes(one));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is not one of ${permissions.join(', ')}.`);
  return [...new Set(list)] as Permission[];
};

const duration = (text: string): number => {
  const length = parseDuration(text);
  if (length === undefined) throw new InvalidArgumentError('It must be a duration, such as 90d, 24h, 30m, 10s or 0.');
  return length;
};

const idOption = () => new Option('--id <id>', 'the id of the key, from "keys create" or "keys list"').makeOptionMandatory();
const permissionsOption = (otherwise: string) =>
  new Option('--permissions <list>', `some of ${permissions.join(',')} (${otherwise})`).argParser(permissionList);
const expiresAtOption = () =>
  new Option('--expires-at <time>', 'when the key expires, in ISO 8601 with a zone')
    .argParser(ruled(parseTimestamp))
    .conflicts(['expiresIn', 'expiry']);
const expiresInOption = () =>
  new Option('--expires-in <duration>', 'when the key expires, from now, such as 90d or 24h')
    .argParser(duration)
    .conflicts('expiry');
const noExpiryOption = () => new Option('--no-expiry', 'the key does not expire');

/**
 * The expiry that the options ask for: null for never, undefined if they do not say.
 *
 * @throws Error if it is not in the future.
 */
function expiryIn({ expiresAt, expiresIn, expiry }: ExpiryOptions, now: number): string | null | undefined {
  if (expiry === false) return null;
  const end = expiresAt ?? (expiresIn === undefined ? undefined : new Date(now + expiresIn).toISOString());
  if (hasExpired(end, now)) throw new Error(`a key cannot expire in the past, at ${end}: revoke it to end it at once`);
  return end;
}

/** A key as `keys list` prints it, without the key itself. */
function listed({ id, prefix, name, workspaceId, permissions, createdAt, ...key }: ApiKey) {
  const { createdBy, expiresAt, lastUsedAt, revokedAt, replaces, replacedBy } = key;
  const by = authorIn(createdBy).actor;
  const shown = { createdBy: by.id ?? by.type, expiresAt, lastUsedAt, revokedAt, replaces, replacedBy };
  const given = Object.entries(shown).filter(([, value]) => value);
  return { id, prefix, name, workspaceId, permissions, createdAt, ...Object.fromEntries(given) };
}

/** The same with the key itself, which is printed only once. */
function shown({ key, ...apiKey }: MadeApiKey) {
  const { id, ...rest } = listed(apiKey);
  return { id, key, ...rest };
}

function refusalLine(id: string, refusal: RotationRefusal): string {
  switch (refusal.refused) {
    case 'unknown':
      return `there is no API key ${id}`;
    case 'replaced':
      return `the API key ${id} has been replaced by ${refusal.replacedBy}; if nobody has seen that key, rotate it with --overlap 0`;
    default:
      return `the API key ${id} ${refusal.refused === 'expired' ? 'has expired' : 'is revoked'}: create a new one`;
  }
}

/** Adds the commands that create, list, update, rotate, revoke and verify API keys. */
export function addKeyCommands(program: Command, shared: Shared): void {
  const keys = program.command('keys').description('API keys');
  addCreateAndList(keys, shared);
  addCommandsOfOneKey(keys, shared);
  addVerification(keys, shared);
}

function addCreateAndList(keys: Command, { name, workspaceOption, run }: Shared): void {
  keys
    .command('create')
    .description('make a key, and show it once')
    .addOption(workspaceOption())
    .option('--name <name>', 'what the key is for', name)
    .addOption(permissionsOption('default: all except keys:… and members:…'))
    .addOption(expiresAtOption())
    .addOption(expiresInOption())
    .action(
      run(
        async (
          options: { workspace: string; name?: string; permissions?: Permission[] } & ExpiryOptions,
          { createApiKey, ...rest },
        ) => {
          const now = Date.now();
          const expiresAt = expiryIn(options, now);
          const workspace = await existingWorkspace(rest, options.workspace);
          const wanted = { name: options.name ?? null, permissions: options.permissions ?? defaultPermissions };
          return shown(await createApiKey(workspace, { ...wanted, ...(expiresAt && { expiresAt }) }, now));
        },
      ),
    );
  keys
    .command('list')
    .description('list the keys: prefix and dates, never the key')
    .addOption(workspaceOption())
    .action(
      run(async (options: { workspace: string }, { listApiKeys, ...rest }) => {
        const { id: workspace } = await existingWorkspace(rest, options.workspace);
        return { keys: (await listApiKeys(workspace)).map(listed) };
      }),
    );
}

/** Adds the command that compares the count of a workspace's keys with the keys. */
function addVerification(keys: Command, { workspaceOption, run, exitWith }: Shared): void {
  keys
    .command('verify')
    .description('compare the count of a workspace with its keys')
    .addOption(workspaceOption())
    .option('--repair', 'correct the count')
    .action(
      run(async (options: { workspace: string; repair?: true }, { checkKeyCount }) => {
        const repair = options.repair ?? false;
        const counts = await checkKeyCount(options.workspace, repair);
        if (!counts) throw new Error(`there is no workspace ${options.workspace}`);
        if (counts.counted !== counts.found && !repair) exitWith(1);
        return { ...counts, repaired: repair && counts.counted !== counts.found };
      }),
    );
}

/** Adds the commands that take the id of a key. */
function addCommandsOfOneKey(keys: Command, { name, run }: Shared): void {
  keys
    .command('update')
    .description('change the name, permissions or expiry of a key')
    .addOption(idOption())
    .option('--name <name>', 'what the key is for', name)
    .addOption(permissionsOption('default: unchanged'))
    .addOption(expiresAtOption())
    .addOption(expiresInOption())
    .addOption(noExpiryOption())
    .action(
      run(
        async (
          { id, name, permissions, ...expiry }: { id: string; name?: string; permissions?: Permission[] } & ExpiryOptions,
          { updateApiKey },
        ) => {
          const expiresAt = expiryIn(expiry, Date.now());
          const given = Object.entries({ name, permissions, expiresAt }).filter(([, value]) => value !== undefined);
          if (given.length === 0)
            throw new Error('use at least one of --name, --permissions, --expires-at, --expires-in, --no-expiry');
          const updated = await updateApiKey(id, Object.fromEntries(given));
          if (!updated) throw new Error(refusalLine(id, { refused: 'unknown' }));
          if (updated === 'revoked') throw new Error(refusalLine(id, { refused: 'revoked' }));
          return listed(updated);
        },
      ),
    );
  keys
    .command('rotate')
    .description('make a key that replaces another, and show it once')
    .addOption(idOption())
    .addOption(
      new Option('--overlap <duration>', 'how long the old key stays valid').argParser(duration).default(duration('24h'), '24h'),
    )
    .addOption(expiresAtOption())
    .addOption(expiresInOption())
    .addOption(noExpiryOption())
    .action(
      run(async ({ id, overlap, ...expiry }: { id: string; overlap: number } & ExpiryOptions, { rotateApiKey }) => {
        const now = Date.now();
        const expiresAt = expiryIn(expiry, now);
        const rotated = await rotateApiKey(id, { overlapMs: overlap, ...(expiresAt !== undefined && { expiresAt }) }, now);
        if ('refused' in rotated) throw new Error(refusalLine(id, rotated));
        return shown(rotated);
      }),
    );
  keys
    .command('revoke')
    .description('end a key for good')
    .addOption(idOption())
    .action(
      run(async ({ id }: { id: string }, { revokeApiKey }) => {
        const revokedAt = await revokeApiKey(id);
        if (!revokedAt) throw new Error(refusalLine(id, { refused: 'unknown' }));
        return { id, revokedAt };
      }),
    );
}
