/**
 * Invisible characters: those with Unicode's `Default_Ignorable_Code_Point` (UAX 44, section 5.3), such as zero-width
 * spaces, byte order marks, bidirectional controls and soft hyphens; noncharacters; the empty Braille pattern; and
 * annotations and placeholders of rich text.
 */
const invisible = /[\p{DI}\p{NChar}\u2800\ufff9-\ufffc]/u;
const blank = /[\p{DI}\p{NChar}\u2800\ufff9-\ufffc\s\p{Cc}]/gu;

/**
 * Where such a character changes the text's appearance: in emoji (UTS 51, section 1.4), between letters that it joins
 * or separates, also at the end of a word (RFC 5892, appendix A.1 and A.2), and after a letter whose variant it selects
 * (UTS 37).
 */
const shown = /* @__PURE__ */ shownPattern();

function shownPattern(): RegExp {
  const emoji = String.raw`\p{ExtPict}[\p{EMod}\ufe0e\ufe0f]*`;
  // Scripts in which joiners are visible: Arabic, Mongolian, those of India, and others like them.
  const scripts = 'Adlm Arab Beng Deva Gujr Guru Khmr Knda Mlym Mong Mymr Nkoo Orya Rohg Sinh Syrc Taml Telu Tibt';
  const joining = String.raw`(?=[\p{L}\p{M}])[${scripts.replaceAll(/(\w+) ?/g, '\\p{scx=$1}')}]`;
  // Their signs with Canonical_Combining_Class=Virama, which silence a vowel.
  const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0f84\u1039\u103a\u17d2]`;
  const kinds = [
    String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
    String.raw`${emoji}(?:\u200d${emoji})*`,
    String.raw`[\d#*]\ufe0f\u20e3`,
    String.raw`(?<=${virama})[\u200c\u200d]`,
    String.raw`(?<=${joining})[\u200c\u200d](?=${joining})`,
    String.raw`(?<=\p{sc=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=(?=\p{L})\p{sc=Mong})[\u180b-\u180f]`,
  ];
  return new RegExp(kinds.join('|'), 'gu');
}

/** The text, of the same length, with letters in place of such visible sequences. */
const withoutShown = (text: string): string => text.replace(shown, (part) => 'x'.repeat(part.length));

/** The name of a text's first invisible character, such as `U+200B`; undefined if there is none. */
export function invisibleIn(text: string): string | undefined {
  const [found] = invisible.test(text) ? (invisible.exec(withoutShown(text)) ?? []) : [];
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A pasted text without spaces, control and invisible characters at both ends. */
export function trimmed(text: string): string {
  const blanked = withoutShown(text).replace(blank, (one) => ' '.repeat(one.length));
  return text.slice(blanked.length - blanked.trimStart().length, blanked.trimEnd().length);
}
