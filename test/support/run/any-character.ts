import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `fc.string({ unit: anyCharacter })`. The library's own unit `binary` is the same, but first
 * maps each of the million characters to its number, which takes every process a second and 200 MB.
 */
export const anyCharacter = fc
  .nat(0x10_ff_ff - surrogates.count)
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));
