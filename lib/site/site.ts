import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Validations } from 'aws-cdk-lib';
import { AuthorizationType, type Integration, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/**
 * The folder of the package of `lambdas/site/site.ts`: its bundle, the document, Scalar's script, and the console's
 * files.
 *
 * @param bundles the folders of the function's bundle and of the console's files.
 * @param outdir where to write it.
 */
export function withFiles(bundles: { readonly site: string; readonly console: string }, outdir: string): string {
  const folder = join(outdir, 'site-with-files');
  cpSync(bundles.site, folder, { recursive: true });
  cpSync(bundles.console, join(folder, 'console'), { recursive: true });
  // Written, not copied, so that the file has the same permissions as all others of the output.
  writeFileSync(join(folder, 'openapi.json'), readFileSync(join(import.meta.dirname, '../../openapi.json')));
  writeFileSync(join(folder, 'scalar.js'), scalarScript());
  return folder;
}

/**
 * Scalar's page as one script. It comes from the plugin for Fastify, which has it as a string and needs 20 packages.
 * Scalar's own package has it as a file, but needs 259.
 *
 * @throws Error if another version of the plugin has the script elsewhere.
 */
function scalarScript(): string {
  const plugin = readFileSync(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8');
  const [, text] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (!text) throw new Error('@scalar/fastify-api-reference has its script in another place: correct lib/site/site.ts');
  return runInNewContext(text);
}

/** The paths that need no key: the reference with its script and openapi.json, and the console. */
export const sitePaths = ({ docs, console }: { readonly docs: boolean; readonly console: boolean }): readonly string[] => [
  ...(docs ? ['/docs', '/docs/scalar.js', '/openapi.json'] : []),
  ...(console ? ['/', '/console', '/console/{proxy+}'] : []),
];

/** Adds these paths, all of them public. @param integration with the function that serves them. */
export function addSite(api: RestApi, paths: readonly string[], integration: Integration): void {
  for (const path of paths) {
    const resource = path === '/' ? api.root : api.root.resourceForPath(path);
    resource.addMethod('GET', integration, { authorizationType: AuthorizationType.NONE });
  }
  const reason = 'The reference and the files of the console are public; the authorizer checks the keys of all other methods';
  Validations.of(api).acknowledge({ id: 'AwsSolutions-APIG4', reason });
}
