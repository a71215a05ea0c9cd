import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Validations } from 'aws-cdk-lib';
import { AuthorizationType, type Integration, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/**
 * The folder of the package of `lambdas/docs/api-docs.ts`: its bundle, the document, and Scalar's script.
 *
 * @param outdir where to write it.
 */
export function withDocs(bundle: string, outdir: string): string {
  const folder = join(outdir, 'api-docs-with-files');
  cpSync(bundle, folder, { recursive: true });
  // Written rather than copied, so that the file is as private as all others of the output.
  writeFileSync(join(folder, 'openapi.json'), readFileSync(join(import.meta.dirname, '../openapi.json')));
  writeFileSync(join(folder, 'scalar.js'), scalarScript());
  return folder;
}

/**
 * Scalar's page as one script. It is taken from the plugin for Fastify, which has it as a string and needs 20 packages.
 * Scalar's own package has it as a file, but needs 259.
 *
 * @throws Error if the plugin, in another version, has the script elsewhere.
 */
function scalarScript(): string {
  const plugin = readFileSync(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')), 'utf8');
  const [, text] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (!text) throw new Error('@scalar/fastify-api-reference does not have its script where it was');
  return runInNewContext(text);
}

/** The page, its script, and the document for programs, all of them public. */
export const docsPaths = ['/docs', '/docs/scalar.js', '/openapi.json'] as const;

/** Adds what `docsPaths` lists. @param integration with the function that serves it. */
export function addDocs(api: RestApi, integration: Integration): void {
  for (const path of docsPaths) {
    api.root.resourceForPath(path).addMethod('GET', integration, { authorizationType: AuthorizationType.NONE });
  }
  const reason = 'The reference of the API is public; the authorizer checks the keys of all other methods';
  Validations.of(api).acknowledge({ id: 'AwsSolutions-APIG4', reason });
}
