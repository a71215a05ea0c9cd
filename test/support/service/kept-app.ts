import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Imported by `npm start` and each process that it starts: copies the app that the tests have synthesised, with another
// port, instead of synthesising it again, which is most of the work of a start.

const { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: context = '{}', KEPT_APP: kept } = process.env;
if (outdir && kept) {
  cpSync(kept, outdir, { recursive: true });
  const { port } = JSON.parse(context) as { port: string };
  for (const file of globSync(join(outdir, '*.template.json')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(':3000', `:${port}`));
  process.exit();
}
