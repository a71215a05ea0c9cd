/** What a function costs that does nothing. */
export const handler = async () => ({});
