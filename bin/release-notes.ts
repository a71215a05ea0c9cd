import { readFileSync } from 'node:fs';

// `npm run release-notes -- v1.2.3`: prints what CHANGELOG.md says about that version, if this is that version.

/** @throws Error with one line for the person who releases. */
function notesOf(tag: string | undefined): string {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(tag ?? '')?.[1];
  if (!version) throw new Error(`${JSON.stringify(tag ?? '')} is not a tag of a version, such as v1.2.3`);
  for (const file of ['package.json', 'clients/typescript/package.json']) {
    const { version: here } = JSON.parse(readFileSync(file, 'utf8'));
    if (here !== version) throw new Error(`${file} has the version ${here}, not ${version}: change one of them`);
  }
  const sections = readFileSync('CHANGELOG.md', 'utf8').replaceAll('\r\n', '\n').split(/^## /m).slice(1);
  // The rest of the heading is the date.
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}": rename "## Unreleased" to it`);
  const notes = section.slice(section.indexOf('\n')).trim();
  if (!section.includes('\n') || !notes) throw new Error(`the section "## ${version}" of CHANGELOG.md is empty`);
  return notes;
}

try {
  console.log(notesOf(process.argv[2]));
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}
