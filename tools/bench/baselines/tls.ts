import { request } from 'node:https';

/**
 * The cost of a function that does nothing, but could call AWS: its TLS. On a laptop, the table is reached without TLS.
 */
export const handler = async () => ({ request: typeof request });
