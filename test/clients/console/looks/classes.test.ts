import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'clients/console/looks';
/** What all screens share: its classes may be added to anything. */
const shared = 'parts.css';

test('If a class modifies another one, no other sheet gives that name a style of its own.', () => {
  const selectors = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    return [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) =>
      list.split(',').map((selector) => ({ file, selector: selector.trim() })),
    );
  });
  const alone = selectors.filter(({ file, selector }) => file !== shared && /^\.[\w-]+$/.test(selector));
  expect(alone.length).toBeGreaterThan(50);
  // Of `.entry.short`, `.short`: if another style sheet has `.short` alone, the entry gets that, too.
  const changing = selectors.flatMap(({ file, selector }) =>
    (selector.match(/(?:\.[\w-]+){2,}/g) ?? []).flatMap((classes) =>
      (classes.match(/\.[\w-]+/g) ?? []).slice(1).map((one) => ({ file, selector, one })),
    ),
  );
  const clashes = changing.flatMap(({ file, selector, one }) =>
    alone.filter((other) => other.selector === one && other.file !== file).map((other) => `${selector}: ${one} of ${other.file}`),
  );
  expect(clashes).toEqual([]);
});
