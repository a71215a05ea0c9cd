import { connect } from 'node:tls';

/** The cost of a function that does nothing, but could call AWS: its TLS. On a laptop, the table is reached without. */
export const handler = async () => ({ connect: typeof connect });
