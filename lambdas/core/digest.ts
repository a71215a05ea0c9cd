import { createHash } from 'node:crypto';

/** The digest of a domain's file. The domain's item holds it; the file has an item of its own. */
export const digestOf = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
