import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Argument, Command } from 'commander';
import { type Judge, NotAvailable } from '../tools/judge/verdict.ts';
import { withOneLineErrors } from './shared/arguments.ts';

// `npm run judge`: checks the templates, openapi.json and the service with outside tools.

/** Loaded only when needed: most of them load the CDK. */
const judges: Readonly<Record<string, () => Promise<Judge>>> = {
  'cfn-lint': async () => (await import('../tools/judge/cfn-lint.ts')).cfnLint,
  moto: async () => (await import('../tools/judge/moto.ts')).moto,
  ministack: async () => (await import('../tools/judge/ministack.ts')).ministack,
  'openapi-python-client': async () => (await import('../tools/judge/openapi-python-client.ts')).openapiPythonClient,
  'openapi-generator': async () => (await import('../tools/judge/openapi-generator.ts')).openapiGenerator,
  'tfplugingen-openapi': async () => (await import('../tools/judge/tfplugingen-openapi.ts')).tfplugingenOpenapi,
  schemathesis: async () => (await import('../tools/judge/schemathesis.ts')).schemathesis,
  conformance: async () => (await import('../tools/judge/conformance.ts')).conformance,
  keycloak: async () => (await import('../tools/judge/keycloak.ts')).keycloak,
};

/** Runs one judge in a temporary folder of its own. @returns the number of its findings. */
async function findingsOf(name: string, judge: Judge, more: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(resolve(tmpdir()), 'links-judge-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const { findings, report = [], remarks } = await judge(folder, more);
    for (const line of report) console.log(`${name}: ${line}`);
    for (const finding of findings) console.log(`${name}: FINDING: ${finding}`);
    console.log(
      `${name}: ${findings.length || 'no'} ${findings.length === 1 ? 'finding' : 'findings'}${remarks ? ` (${remarks})` : ''}`,
    );
    return findings.length;
  } catch (error) {
    if (error instanceof NotAvailable) {
      console.log(`${name}: not available: ${error.message}`);
      return 0;
    }
    console.log(`${name}: FINDING: it could not finish: ${(error as Error).stack}`);
    return 1;
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

// Handlers of `exit` then end the programs that were started, and remove temporary folders.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const program = withOneLineErrors(new Command('judge'))
  .description('Check the templates, openapi.json and the service with outside tools; exits with 1 if one finds something')
  .addArgument(new Argument('[judges...]', 'run only these').choices(Object.keys(judges)))
  .option(
    '--with <argument>',
    'an argument for the programs themselves, such as --with=--seed=1; may be repeated',
    (argument: string, before: readonly string[]) => [...before, argument],
    [],
  )
  .action(async (names: readonly string[], { with: more }: { with: readonly string[] }) => {
    let found = 0;
    for (const [name, judge] of Object.entries(judges)) {
      if (names.length === 0 || names.includes(name)) found += await findingsOf(name, await judge(), more);
    }
    // A judge may leave connections open.
    process.exit(found > 0 ? 1 : 0);
  });

await program.parseAsync();
