import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Checkpoints = {
  /** The last sequence number that a reader has processed; '' if it has started but not processed any. */
  get(reader: string, shardId: string): string | undefined;
  set(reader: string, shardId: string, sequenceNumber: string): void;
  /**
   * The lowest checkpoint of these readers: all of them have processed every record up to it. Undefined without
   * readers.
   */
  lowest(readers: readonly string[]): bigint | undefined;
};

/**
 * Stores how far each reader of the stream has read, in a small file. The file is replaced as a whole, so that a `kill
 * -9` at any moment leaves the old or the new one. A record is marked only after it is processed: at worst, it is
 * delivered again.
 */
export function openCheckpoints(folder: string): Checkpoints {
  const file = join(folder, 'stream-checkpoints.json');
  const all = read(file);
  return {
    get: (reader, shardId) => all[reader]?.[shardId],
    set: (reader, shardId, sequenceNumber) => {
      if (all[reader]?.[shardId] === sequenceNumber) return;
      all[reader] = { ...all[reader], [shardId]: sequenceNumber };
      writeFileSync(`${file}.new`, JSON.stringify(all));
      renameSync(`${file}.new`, file);
    },
    lowest: (readers) => {
      const numbers = readers
        .flatMap((reader) => Object.values(all[reader] ?? { none: '0' }))
        .map((number) => BigInt(number || 0));
      return numbers.sort((a, b) => Number(a - b))[0];
    },
  };
}

function read(file: string): Record<string, Record<string, string>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}
