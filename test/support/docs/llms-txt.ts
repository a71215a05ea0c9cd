import { readFileSync } from 'node:fs';

/** The pages that docs/README.md lists: title, path in the repository, and description. */
export const listedPages: readonly (readonly [title: string, path: string, about: string])[] = [
  ...readFileSync('docs/README.md', 'utf8').matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm),
].map(([, title = '', link = '', about = '']) => [title, link.startsWith('../') ? link.slice(3) : `docs/${link}`, about]);

/** The file with which language models find the pages: https://llmstxt.org */
export function llmsTxt(): string {
  const [, pitch = ''] = /^# Links\n\n(.+?)\n\n/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  const pages = listedPages.map(([title, path, about]) => `- [${title}](${path}): ${about}`);
  return `# Links\n\n> ${pitch}\n\n## Docs\n\n${pages.join('\n')}\n- [openapi.json](openapi.json): the API in OpenAPI 3.1\n`;
}
