import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../../../clients/migration/formats.ts';
import { guessOf } from '../../../clients/migration/guess.ts';
import { linksAsCsv } from '../../../clients/migration/own.ts';

const folder = join(import.meta.dirname, '../../data/migration');
/** The services that files are named after. */
const services = Object.keys(formats).filter((name) => name !== 'csv');
const bytes = (text: string) => new TextEncoder().encode(text);

describe('The format of a file', () => {
  test.for(readdirSync(folder))('that another service exported, %s, is recognised by its columns.', (file) => {
    const named = services.find((name) => file.toLowerCase().includes(name)) ?? 'csv';
    expect(guessOf(readFileSync(join(folder, file)))?.format).toBe(named);
  });

  test.for([
    ['the export of this service', linksAsCsv([])],
    ['a list of addresses', 'url\nhttps://example.com/\n'],
    ['addresses with titles', 'URL,Title\nhttps://example.com/,One\n'],
  ] as const)('is that of this service for %s.', ([, text]) => {
    expect(guessOf(bytes(text))?.format).toBe('csv');
  });

  test.for([
    ['without addresses', 'name,place\na,b\n'],
    ['of another kind', '%PDF-1.7'],
    ['of JSON with other things', '[{"hello":"world"}]'],
    ['with nothing in it', ''],
  ] as const)('is unknown for a file %s.', ([, text]) => {
    expect(guessOf(bytes(text))).toBeUndefined();
  });
});
