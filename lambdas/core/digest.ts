import { createHash } from 'node:crypto';

/** The digest of a domain's file. The domain holds the digest, and the file is stored beside it. */
export const digestOf = (content: string): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
