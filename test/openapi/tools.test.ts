import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolsText } from '../../openapi/tools.ts';

const text = readFileSync('clients/mcp/tools.json', 'utf8');
const document = JSON.parse(readFileSync('openapi.json', 'utf8'));

test('The tools match openapi.json; npm run openapi writes them again.', () => {
  expect(text).toBe(toolsText(JSON.stringify(document)));
});

test('The tools take each field of a link, also one that is added to the schema.', () => {
  const { properties } = document.components.schemas.CreateLinkRequest;
  const changed = structuredClone(document);
  for (const name of ['CreateLinkRequest', 'UpdateLinkRequest', 'LinkSettings', 'ImportLink', 'Link']) {
    changed.components.schemas[name].properties.newField = { type: 'string', description: 'It is `new`. Really.' };
  }
  const { tools } = JSON.parse(toolsText(JSON.stringify(changed)));
  // biome-ignore lint/suspicious/noExplicitAny: schemas of every shape.
  const find = (wanted: string): any => tools.find(({ name }: { name: string }) => name === wanted);
  const created = find('create_link').inputSchema.properties;
  expect(Object.keys(created).toSorted()).toEqual([...Object.keys(properties), 'newField'].toSorted());
  expect(created.newField).toEqual({ type: 'string' });
  expect(find('update_link').inputSchema.properties).toHaveProperty('newField');
  expect(find('update_links').inputSchema.properties.fields.properties).toHaveProperty('newField');
  expect(find('create_links').inputSchema.properties.links.items.properties).toHaveProperty('newField');
  expect(find('get_link').outputSchema.properties.link.properties).toHaveProperty('newField');
  expect(find('list_links').outputSchema.properties.links.items.properties).not.toHaveProperty('newField');
});
