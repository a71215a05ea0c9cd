import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText } from '../openapi/document.ts';

// `npm run openapi`: writes openapi.json. A test checks that it matches the code.

writeFileSync(join(import.meta.dirname, '../openapi.json'), await openApiText());
