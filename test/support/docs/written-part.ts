/**
 * A page with another text between `<!-- npm run docs writes: <name> -->` and `<!-- end -->`.
 *
 * @throws Error if the page has no such part, or several
 */
export function withPart(page: string, name: string, text: string): string {
  const start = `<!-- npm run docs writes: ${name} -->\n`;
  const [before = '', part, ...more] = page.split(start);
  const end = part?.indexOf('<!-- end -->') ?? -1;
  if (part === undefined || end < 0 || more.length > 0) throw new Error(`the page must have one part ${start}`);
  return `${before}${start}\n${text}\n\n${part.slice(end)}`;
}
