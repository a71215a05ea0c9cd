import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientTypesText } from '../../openapi/client-types.ts';

test("The client's types match openapi.json; npm run openapi writes them again.", async () => {
  const document = readFileSync('openapi.json', 'utf8');
  expect(readFileSync('clients/typescript/openapi.ts', 'utf8')).toBe(await clientTypesText(document));
});
