import fc from 'fast-check';
import { anyCharacter } from '../run/any-character.ts';

const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 12 }), fc.constantFrom('', '"\\\n', '\ud800', ' ', 'é', '😀'));
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
);
const setOf = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 4 }).map((list) => new Set(list));

/** Names that clients choose, also those that mean something to JavaScript. `__proto__` is refused. */
const special = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON', 'length', 'name'];
const chosen = fc
  .oneof(fc.string({ maxLength: 8 }), fc.constantFrom('pk', 'sk', '1', 'é', 'S', 'M', ...special))
  .filter((one) => one !== '__proto__');

/** Names of attributes and tables, which are ours. */
const ownName = chosen.filter((one) => one !== 'constructor');

const { attributes: nested } = fc.letrec((tie) => ({
  attributes: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    setOf(text),
    setOf(number),
    fc.array(tie('attributes'), { maxLength: 4 }),
    fc.dictionary(chosen, tie('attributes'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Any value that an attribute of ours may have. */
export const attributes = nested as fc.Arbitrary<unknown>;

/** Any item, sometimes with attributes that are undefined. */
export const item: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(ownName, fc.option(attributes, { nil: undefined }), {
  maxKeys: 6,
  noNullPrototype: true,
});
