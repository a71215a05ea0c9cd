/** HTML that is safe to insert into a page. */
export type Html = { readonly html: string };

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** HTML with inserted values. Text is escaped, both between tags and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly (Html | readonly Html[] | string)[]): Html {
  const shown = (value: Html | readonly Html[] | string): string => {
    if (typeof value === 'string') return escapeHtml(value);
    return 'html' in value ? value.html : value.map(shown).join('');
  };
  return { html: parts.reduce((text, part, index) => text + shown(values[index - 1] ?? '') + part) };
}
