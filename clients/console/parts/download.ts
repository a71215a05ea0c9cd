/** Saves a table as CSV. It begins with a byte order mark: without it, Excel does not read it as UTF-8. */
export const downloadCsv = (texts: readonly string[], name: string): void =>
  download(new Blob(['\ufeff', ...texts], { type: 'text/csv' }), name);

/** Saves a file in the browser's downloads. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = Object.assign(document.createElement('a'), { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
