import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../openapi/document.ts';

// `npm run openapi`: writes the API's description, which a test compares with what the code says.

writeFileSync(join(import.meta.dirname, '../openapi.json'), await openApiText());
