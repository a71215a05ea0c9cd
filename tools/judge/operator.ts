import { steps as smokeSteps } from '../../clients/smoke/steps.ts';
import { physicalNames } from './deployed.ts';
import { cdk, command, type Emulator } from './emulator.ts';
import type { Result, Trials } from './steps.ts';
import { stacksOf } from './templates.ts';

const stage = 'dev';

/** What the operator's commands need of a new stage. */
export type Operated = {
  /** The host of the redirect, from the stack's output; undefined if there is none. */
  readonly domain: string | undefined;
  /** The number of the gateway's keys. */
  readonly gatewayKeys: () => Promise<number>;
  /** The URL of the API; undefined if the emulator does not serve it. */
  readonly baseUrl: string | undefined;
};

/** Uses the operator's commands as docs/deploy.md does, runs the smoke test, and removes everything. */
export async function operate(
  trials: Trials,
  emulator: Emulator,
  outdir: string,
  { domain, gatewayKeys, baseUrl }: Operated,
): Promise<void> {
  const { step, add } = trials;
  const admin = async (...args: readonly string[]) =>
    JSON.parse((await command(emulator, 'admin', ['--stage', stage, '--json', ...args])).stdout);
  let workspace = '';
  await step('admin workspaces create', async () => {
    workspace = (await admin('workspaces', 'create', '--name', 'Judge')).id;
    const keys = await gatewayKeys();
    if (keys !== 1) throw new Error(`the gateway has ${keys} keys instead of one`);
    return 'with its key of the gateway, in the usage plan';
  });
  await step('admin domains add', async () => {
    // Without a redirect, no name is covered.
    const wanted = domain === undefined ? 'PENDING_DNS' : 'ACTIVE';
    const names = ['--domain', domain ?? 'go.example.com', '--status', wanted];
    const { status } = await admin('domains', 'add', '--workspace', workspace, ...names);
    if (status !== wanted) throw new Error(`it is ${status}`);
    return status;
  });
  if (domain !== undefined) {
    await step('admin start', async () => {
      const started = await admin('start', '--name', 'Judge');
      if (started.workspaceId !== workspace || started.domain !== domain)
        throw new Error('it does not continue with the workspace');
      return 'it goes on with the workspace and its domain';
    });
  }
  await step('admin keys create, list, revoke', async () => {
    const { id } = await admin('keys', 'create', '--workspace', workspace, '--name', 'judge');
    const { keys } = await admin('keys', 'list', '--workspace', workspace);
    if (!keys.some((key: { id: string }) => key.id === id)) throw new Error('the list lacks it');
    await admin('keys', 'revoke', '--id', id);
    return undefined;
  });
  if (baseUrl === undefined) add({ step: 'smoke test', outcome: 'not tried' });
  else for (const result of await smokeTest(emulator, baseUrl, workspace)) add(result);
  await step('admin workspaces delete', async () => {
    await admin('workspaces', 'delete', '--workspace', workspace, '--confirm', workspace);
    const keys = await gatewayKeys();
    if (keys !== 0) throw new Error(`the gateway has ${keys} keys left`);
    return undefined;
  });
  await step('cdk destroy', async () => {
    await cdk(emulator, outdir, ['destroy', '--all', '--force']);
    for (const stack of stacksOf(stage)) {
      const left = Object.keys(await physicalNames(emulator, stack).catch(() => ({})));
      if (left.length > 0) throw new Error(`${left.length} resources of ${stack} are left`);
    }
    return undefined;
  });
}

/** The steps of the smoke test. */
async function smokeTest(emulator: Emulator, baseUrl: string, workspace: string): Promise<readonly Result[]> {
  const nameOf = (step: string) => `smoke: ${step}`;
  const args = ['--stage', stage, '--base-url', baseUrl, '--workspace', workspace, '--json'];
  const { stdout, output } = await command(emulator, 'smoke', args).catch((error: Error) => ({
    stdout: '',
    output: error.message,
  }));
  const results: readonly Result[] = stdout ? JSON.parse(stdout).steps : [];
  const said = output.trim().split('\n').at(-1);
  return smokeSteps
    .filter(({ isAsked }) => isAsked === undefined)
    .map(({ name }) => {
      const result = results.find(({ step }) => step === name) ?? { outcome: 'not tried', said };
      return { step: nameOf(name), outcome: result.outcome, said: result.said };
    });
}
