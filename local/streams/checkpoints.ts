import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Checkpoints = {
  /** The last sequence number that a reader has processed; '' if it has started but not processed any. */
  get(reader: string, shardId: string): string | undefined;
  set(reader: string, shardId: string, sequenceNumber: string): void;
  /** By table, the lowest checkpoint of its readers: all of them have processed every record up to it. */
  lowest(readers: readonly { readonly table: string; readonly reader: string }[]): ReadonlyMap<string, bigint>;
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
      const lowest = new Map<string, bigint>();
      for (const { table, reader } of readers) {
        for (const number of Object.values(all[reader] ?? { none: '0' })) {
          const [before, here] = [lowest.get(table), BigInt(number || 0)];
          if (before === undefined || here < before) lowest.set(table, here);
        }
      }
      return lowest;
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
