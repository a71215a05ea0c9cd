import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What is used of openapi-typescript, whose own types cannot be imported: it is a package of the workspace below. */
type Generator = {
  readonly default: (document: object) => Promise<object>;
  readonly astToString: (types: object) => string;
};

/**
 * The content of `clients/typescript/openapi.ts`: the types of the document, by openapi-typescript.
 *
 * It is loaded from the workspace with the version of TypeScript that it needs.
 */
export async function clientTypesText(document: string): Promise<string> {
  const load = createRequire(join(import.meta.dirname, '../test/openapi/generators/package.json'));
  const generator: Generator = load('openapi-typescript');
  const types = generator.astToString(await generator.default(JSON.parse(document)));
  return `// Written by \`npm run openapi\`, with openapi-typescript. A test checks that it matches the code.\n\n${types}`;
}
