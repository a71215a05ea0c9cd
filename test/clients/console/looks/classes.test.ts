import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Shared style sheets, whose classes any screen may use. */
const shared = /\/(looks|parts\/kit)\//;

test('If a class modifies another one, no other sheet gives that name a style of its own.', () => {
  const selectors = globSync('clients/console/**/*.css').flatMap((file) => {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    return [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) =>
      list.split(',').map((selector) => ({ file, selector: selector.trim() })),
    );
  });
  const alone = selectors.filter(({ file, selector }) => !shared.test(file) && /^\.[\w-]+$/.test(selector));
  expect(alone.length).toBeGreaterThan(50);
  // Of `.entry.short`, `.short`: if another style sheet has `.short` alone, the entry gets that, too.
  const changing = selectors.flatMap(({ file, selector }) =>
    (selector.match(/(?:\.[\w-]+){2,}/g) ?? []).flatMap((classes) =>
      [...new Set(classes.match(/\.[\w-]+/g))].slice(1).map((one) => ({ file, selector, one })),
    ),
  );
  const clashes = changing.flatMap(({ file, selector, one }) =>
    alone.filter((other) => other.selector === one && other.file !== file).map((other) => `${selector}: ${one} of ${other.file}`),
  );
  expect(clashes).toEqual([]);
});
