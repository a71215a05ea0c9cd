/** The address of a short link without its scheme, as people read it. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '');
