import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypesText } from '../openapi/client-types.ts';
import { openApiText } from '../openapi/document.ts';

// `npm run openapi`: writes openapi.json and the client's types. Tests check that both match the code.

const root = join(import.meta.dirname, '..');
const text = await openApiText();
writeFileSync(join(root, 'openapi.json'), text);
writeFileSync(join(root, 'clients/typescript/openapi.ts'), await clientTypesText(text));
