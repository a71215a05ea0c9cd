/** The text of a value; empty if it is neither text nor a number. */
export const textOf = (value: unknown): string => (['string', 'number'].includes(typeof value) ? String(value).trim() : '');
