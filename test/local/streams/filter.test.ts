import { describe, expect, it } from 'vitest';
import { eventFilter } from '../../../local/streams/filter.ts';

const event = {
  eventName: 'INSERT',
  dynamodb: { Keys: { sk: { S: 'SWEEP#1' } }, NewImage: { tags: { L: ['a', 'b'] } }, SizeBytes: 57 },
};
const passes = (...patterns: object[]) => eventFilter(patterns.map((pattern) => JSON.stringify(pattern)))(event);
const key = (test: unknown) => ({ dynamodb: { Keys: { sk: { S: [test] } } } });

describe('an event passes', () => {
  it.each([
    ['no filter', []],
    ['any of several', [{ eventName: ['REMOVE'] }, { eventName: ['INSERT'] }]],
    ['one of the values', [{ eventName: ['REMOVE', 'INSERT'] }]],
    ['a prefix', [key({ prefix: 'SWEEP#' })]],
    ['a suffix', [key({ suffix: '#1' })]],
    ['another case', [key({ 'equals-ignore-case': 'sweep#1' })]],
    ['anything but', [key({ 'anything-but': ['SWEEP'] })]],
    ['anything but a prefix', [key({ 'anything-but': { prefix: 'LINK' } })]],
    ['a field that exists', [key({ exists: true })]],
    ['a field that does not', [{ dynamodb: { OldImage: { sk: { S: [{ exists: false }] } } } }]],
    ['a number within bounds', [{ dynamodb: { SizeBytes: [{ numeric: ['>', 50, '<=', 57] }] } }]],
    ['an entry of a list', [{ dynamodb: { NewImage: { tags: { L: ['b'] } } } }]],
  ])('%s', (_, patterns) => {
    expect(passes(...patterns)).toBe(true);
  });
});

describe('an event does not pass', () => {
  it.each([
    ['another value', [{ eventName: ['REMOVE'] }]],
    ['one of two fields', [{ eventName: ['INSERT'], ...key('LINK') }]],
    ['another prefix', [key({ prefix: 'LINK' })]],
    ['anything but its own', [key({ 'anything-but': 'SWEEP#1' })]],
    ['a field that is missing', [{ dynamodb: { OldImage: { sk: { S: [{ exists: true }] } } } }]],
    ['anything but, where the field is missing', [{ nothing: [{ 'anything-but': 'x' }] }]],
    ['a number out of bounds', [{ dynamodb: { SizeBytes: [{ numeric: ['=', 58] }] } }]],
  ])('%s', (_, patterns) => {
    expect(passes(...patterns)).toBe(false);
  });
});

it.each([
  ['an operator', key({ wildcard: '*' }), 'wildcard'],
  ['an operator in another', key({ 'anything-but': { wildcard: '*' } }), 'wildcard'],
  ['$or', { $or: [] }, '$or'],
  ['a comparison', key({ numeric: ['~', 3] }), '~'],
])('%s that the host does not know stops it, by name', (_, pattern, name) => {
  expect(() => passes(pattern)).toThrow(`does not know the filter operator ${name.startsWith('~') ? 'numeric ' : ''}${name}`);
});
