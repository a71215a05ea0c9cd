import { describe, expect, it } from 'vitest';
import { eventFilter } from '../../../local/streams/filter.ts';

const event = {
  eventName: 'INSERT',
  dynamodb: { Keys: { sk: { S: 'SWEEP#1' } }, NewImage: { tags: { L: ['a', 'b'] } }, SizeBytes: 57 },
};
const passes = (...patterns: object[]) => eventFilter(patterns.map((pattern) => JSON.stringify(pattern)))(event);
const key = (test: unknown) => ({ dynamodb: { Keys: { sk: { S: [test] } } } });

describe('A matching event', () => {
  it.each([
    ['no filter', []],
    ['any of several filters', [{ eventName: ['REMOVE'] }, { eventName: ['INSERT'] }]],
    ['one of several values', [{ eventName: ['REMOVE', 'INSERT'] }]],
    ['a prefix', [key({ prefix: 'SWEEP#' })]],
    ['a suffix', [key({ suffix: '#1' })]],
    ['the same text in another case', [key({ 'equals-ignore-case': 'sweep#1' })]],
    ['anything but another value', [key({ 'anything-but': ['SWEEP'] })]],
    ['anything but a prefix', [key({ 'anything-but': { prefix: 'LINK' } })]],
    ['a field that exists', [key({ exists: true })]],
    ['a field that does not exist', [{ dynamodb: { OldImage: { sk: { S: [{ exists: false }] } } } }]],
    ['a number within bounds', [{ dynamodb: { SizeBytes: [{ numeric: ['>', 50, '<=', 57] }] } }]],
    ['an entry of a list', [{ dynamodb: { NewImage: { tags: { L: ['b'] } } } }]],
  ])('An event passes by %s.', (_, patterns) => {
    expect(passes(...patterns)).toBe(true);
  });
});

describe('An event that does not match', () => {
  it.each([
    ['another value', [{ eventName: ['REMOVE'] }]],
    ['two fields of which one differs', [{ eventName: ['INSERT'], ...key('LINK') }]],
    ['another prefix', [key({ prefix: 'LINK' })]],
    ['anything but its own value', [key({ 'anything-but': 'SWEEP#1' })]],
    ['a field that is missing', [{ dynamodb: { OldImage: { sk: { S: [{ exists: true }] } } } }]],
    ['anything but a value of a missing field', [{ nothing: [{ 'anything-but': 'x' }] }]],
    ['a number out of bounds', [{ dynamodb: { SizeBytes: [{ numeric: ['=', 58] }] } }]],
  ])('An event does not pass with a filter for %s.', (_, patterns) => {
    expect(passes(...patterns)).toBe(false);
  });
});

it.each([
  ['an unknown operator', key({ wildcard: '*' }), 'wildcard'],
  ['an unknown operator within another', key({ 'anything-but': { wildcard: '*' } }), 'wildcard'],
  ['the operator $or', { $or: [] }, '$or'],
  ['an unknown comparison', key({ numeric: ['~', 3] }), '~'],
])('A filter with %s is not supported, and stops the host with an error that names it.', (_, pattern, name) => {
  expect(() => passes(pattern)).toThrow(`does not support the filter operator ${name.startsWith('~') ? 'numeric ' : ''}${name}`);
});
