import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { laptopSignInOf, type SettingsInput, type StageSettings, schema, settingsOf } from './settings.ts';

// The stages: complete environments, of which an account can have several. Each has a file in `stages/`.

export type Stage = { readonly name: string; readonly settings: StageSettings };

const stagesFolder = join(import.meta.dirname, '../../stages');

/**
 * The shape of a stage's name, and of a preview's after `preview-`. It is part of names in AWS, of which a rule's has
 * the lowest limit, 64 characters: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html.
 * Without underscores and double hyphens, the prefix of one stage's gateway keys, such as `links-preview-a-ws_`, can't
 * be a prefix of another stage's.
 */
const stageName = /^(?=.{1,20}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const nameRule = 'must have 1 to 20 lowercase letters, digits and single hyphens between them';

/** The file of all previews. Each preview has a name of its own, and lives as long as its change is discussed. */
const preview = 'preview';
/** The laptop's stage, which has no file and cannot be deployed. */
const local = 'local';

const isStageName = (name: string): boolean => stageName.test(name) && !isPreview(name) && ![preview, local].includes(name);

/** The names of the stages that have a file, without previews. */
export const stageNames = (folder = stagesFolder): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .filter(isStageName)
    .sort();

/** The stage of commands that name none. It holds only test data, in case somebody forgets to name the stage. */
export const usualStage = 'dev';

/** The tags of a stage's resources. */
export const tagsOf = (stage: Stage['name']): Readonly<Record<string, string>> => ({ service: 'links', stage });

/**
 * The laptop's stage.
 *
 * @param port the service's port, which the start command chooses.
 * @param signIn the provider, if people can sign in.
 * @param managedDomains whether domains that are not under `localhost` get a certificate and a name, as on AWS.
 */
export const localStage = (port: number, signIn?: SettingsInput['signIn'], managedDomains = false): Stage => ({
  name: local,
  settings: settingsOf(
    {
      keepData: false,
      backUpActivity: false,
      shortUrlOrigin: `http://{domain}:${port}`,
      // The most that AWS allows, because on a laptop, scripts and tests do not slow down anybody else.
      requestRate: 10_000,
      requestBurst: 5_000,
      stageThrottle: {},
      uniqueClicks: 'daily',
      docs: true,
      ...(signIn && { signIn }),
      // On a laptop, every visitor has the same address. With these three headers, people can try others, and
      // countries.
      countryFrom: {
        countryHeader: 'X-Country',
        addressHeader: 'X-Address',
        secretHeader: 'X-Origin-Secret',
        secretSha256: [createHash('sha256').update('laptop').digest('hex')],
      },
      domainTarget: 'links.localhost',
      domainActivation: 'dns',
      managedDomains,
      rollout: 'all-at-once',
      logRetentionDays: 7,
    },
    'the laptop',
    true,
  ),
});

/** The ARN of the client's secret in the laptop's stand-in for Secrets Manager. */
const laptopSecretArn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:links-sign-in-laptop';

/**
 * Reads the file of `npm start -- --sign-in-settings`.
 *
 * @returns the provider, and the secrets that the functions may read, by their ARNs.
 * @throws Error with one line, without secrets
 */
export function readLaptopSignIn(file: string): { signIn: SettingsInput['signIn']; secrets: Readonly<Record<string, string>> } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: it cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  // A parser's message may quote the file, so only the position is shown.
  const { clientSecret, ...signIn } = laptopSignInOf(objectIn(text, file, whereIn), file);
  if (clientSecret === undefined) return { signIn, secrets: {} };
  return { signIn: { ...signIn, clientSecretArn: laptopSecretArn }, secrets: { [laptopSecretArn]: clientSecret } };
}

/** The position at which a JSON parser has failed, if its message has it. */
const whereIn = (message: string): string => / \(line \d+ column \d+\)$/.exec(message)?.[0] ?? '';

/**
 * The stage with that name, and its settings. The preview `pr-12` is the stage `preview-pr-12`.
 *
 * @param folder with the files of the stages.
 * @throws Error with one line for the operator if the name is missing or unknown, or a setting is wrong.
 */
export function stageOf(name: unknown, folder = stagesFolder): Stage {
  if (typeof name === 'string') {
    const file = isPreview(name) ? preview : name;
    if ((file !== name || isStageName(name)) && existsSync(pathOf(file, folder))) {
      return { name, settings: settingsOf(...readStage(file, folder)) };
    }
  }
  const got = name === undefined || name === '' ? 'no stage given' : `unknown stage ${JSON.stringify(name)}`;
  const rule = typeof name === 'string' && name !== '' && !stageName.test(name) ? ` (a name ${nameRule})` : '';
  throw new Error(
    `${got}${rule}: name one of ${stageNames(folder).join(', ')} or preview, as in: npm run deploy -- -c stage=dev`,
  );
}

const pathOf = (name: string, folder: string): string => join(folder, `${name}.json`);

/**
 * Reads the file of a stage, and those that it extends. Its own settings replace inherited ones as a whole, and null
 * returns to the default.
 *
 * @param extending the files that extend this one.
 * @returns the settings that differ from the defaults, and the name of the file for errors.
 * @throws Error with one line for the operator if a file cannot be read, or an extended one has a wrong setting.
 */
function readStage(name: string, folder: string, extending: readonly string[] = []): [given: SettingsInput, source: string] {
  const source = `stages/${name}.json`;
  const { $schema: _, extends: base, ...own } = objectIn(readFileSync(pathOf(name, folder), 'utf8'), source);
  let inherited: SettingsInput = {};
  if (base !== undefined) {
    const files = [...extending, name];
    if (typeof base !== 'string' || !stageName.test(base) || !existsSync(pathOf(base, folder))) {
      throw new Error(`${source}: extends: there is no file stages/${base}.json`);
    }
    if (files.includes(base)) throw new Error(`${source}: extends: ${[...files, base].join(' extends ')}`);
    const read = readStage(base, folder, files);
    settingsOf(...read);
    inherited = read[0];
  }
  const given = Object.entries({ ...inherited, ...own }).filter(([key, value]) => value !== null || !(key in schema.shape));
  return [Object.fromEntries(given), source];
}

function objectIn(
  text: string,
  source: string,
  detailOf = (message: string) => `: ${message.replaceAll(/\s+/g, ' ')}`,
): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${source}: it is not JSON${detailOf((error as Error).message)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${source}: it must be an object`);
  return value as Readonly<Record<string, unknown>>;
}

/** Whether a stage's name is that of a preview. */
export const isPreview = (stage: string): boolean =>
  stage.startsWith('preview-') && stageName.test(stage.slice('preview-'.length));

/**
 * The stage from the context of the CDK's command line: `-c stage=prod`, or `-c stage=preview -c name=pr-12`.
 * `usualStage` by default.
 *
 * @throws Error with one line for the operator if the stage is unknown, if a preview's name is missing or malformed, or
 * if another stage is given a name.
 */
export function stageOfContext(
  { stage = usualStage, name }: { readonly stage?: unknown; readonly name?: unknown },
  folder = stagesFolder,
): Stage {
  const example = 'as in: npm run deploy -- -c stage=preview -c name=pr-12';
  if (stage !== preview) {
    const found = stageOf(stage, folder);
    if (name === undefined) return found;
    throw new Error(`the stage ${found.name} takes no name: leave out -c name=${name}, which is for previews, ${example}`);
  }
  if (name === undefined || name === '') throw new Error(`no name given for the preview: add one, ${example}`);
  if (typeof name === 'string' && stageName.test(name)) return stageOf(`preview-${name}`, folder);
  throw new Error(`the preview's name ${JSON.stringify(name)} ${nameRule}, ${example}`);
}
