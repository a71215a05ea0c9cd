/**
 * The language that a visitor prefers (RFC 9110, section 12.5.4), in lower case, such as `de-at`; undefined if there is
 * none. What is malformed, or stands for any language, is passed over.
 *
 * @param languages `Accept-Language`
 */
export function preferredLanguage(languages: string): string | undefined {
  let best: { readonly tag: string; readonly weight: number } | undefined;
  for (const range of languages.split(',')) {
    const [tag = '', q = 'q=1', ...more] = range.split(';').map((part) => part.trim());
    const [primary = ''] = tag.split(/[-_]/);
    const weight = q.startsWith('q=') && more.length === 0 ? Number(q.slice(2)) : 0;
    const isBetter = weight > (best?.weight ?? 0) && weight <= 1;
    if (isBetter && /^[A-Za-z]{2,3}$/.test(primary)) best = { tag: tag.toLowerCase().replaceAll('_', '-'), weight };
  }
  return best?.tag;
}
