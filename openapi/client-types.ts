import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of openapi-typescript that is used. Its own types are not within reach: it is a package of the workspace below. */
type Generator = {
  readonly default: (document: object) => Promise<object>;
  readonly astToString: (types: object) => string;
};

/**
 * The content of `clients/typescript/openapi.ts`: the types of the document, by openapi-typescript.
 *
 * It is found from the workspace that has the TypeScript which it needs.
 */
export async function clientTypesText(document: string): Promise<string> {
  const load = createRequire(join(import.meta.dirname, '../test/openapi/generators/package.json'));
  const generator: Generator = load('openapi-typescript');
  const types = generator.astToString(await generator.default(JSON.parse(document)));
  return `// Written by \`npm run openapi\`, with openapi-typescript. A test checks that it matches the code.\n\n${types}`;
}
