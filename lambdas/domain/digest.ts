import { createHash } from 'node:crypto';

/** What a domain knows of a file that is stored beside it. */
export const digestOf = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
