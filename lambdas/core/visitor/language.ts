/**
 * The languages that a visitor accepts, by preference (RFC 9110, section 12.5.4), in lower case, such as `de-at`.
 * Malformed entries and the wildcard are skipped.
 *
 * @param header the value of `Accept-Language`.
 */
export function acceptedLanguages(header: string): string[] {
  const ranges = header.split(',').flatMap((range) => {
    const [tag = '', q = 'q=1', ...more] = range.split(';').map((part) => part.trim());
    const weight = q.startsWith('q=') && more.length === 0 ? Number(q.slice(2)) : 0;
    // Checked before lower-casing, which turns some other letters into ASCII ones.
    const isAccepted = weight > 0 && weight <= 1 && /^[A-Za-z]{2,3}([-_]|$)/.test(tag);
    return isAccepted ? [{ language: tag.toLowerCase().replaceAll('_', '-'), weight }] : [];
  });
  // The sort is stable: of equal weights, the first comes first.
  return ranges.sort((a, b) => b.weight - a.weight).map(({ language }) => language);
}

/** A language without its region, such as `de` of `de-at`. */
export const primarySubtag = (language: string): string => language.split('-')[0] ?? '';
