/**
 * Returns a page with new texts between `<!-- npm run docs writes: <name> -->` and `<!-- end -->`.
 *
 * @param parts the texts by the names of the parts: all parts that the page has
 * @throws Error if the page has not exactly these parts, each once
 */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  const pattern = /(<!-- npm run docs writes: (.+) -->\n)[\s\S]*?(?=<!-- end -->)/g;
  const names = [...page.matchAll(pattern)].map(([, , name]) => name);
  if (names.toSorted().join() !== Object.keys(parts).sort().join())
    throw new Error(`the page has the parts ${names.join(', ')} instead of ${Object.keys(parts).join(', ')}`);
  return page.replaceAll(pattern, (_, start, name) => `${start}\n${parts[name]}\n\n`);
}
