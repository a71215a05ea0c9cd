import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypesText } from '../openapi/client-types.ts';
import { openApiText } from '../openapi/document.ts';
import { manifestSchemaText } from '../openapi/manifest.ts';
import { toolsText } from '../openapi/tools.ts';

// `npm run openapi`: writes openapi.json, the client's types, the JSON Schema of manifests and the tools of the server
// for the Model Context Protocol. Tests check that they match the code.

const root = join(import.meta.dirname, '..');
const text = await openApiText();
writeFileSync(join(root, 'openapi.json'), text);
writeFileSync(join(root, 'clients/typescript/openapi.ts'), await clientTypesText(text));
writeFileSync(join(root, 'clients/links-as-code/links.schema.json'), manifestSchemaText());
writeFileSync(join(root, 'clients/mcp/tools.json'), toolsText(text));
