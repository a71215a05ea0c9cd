import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getFile } from '../outbound/click-files.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import type { ListedFile } from './plan.ts';
import { concurrency, readingFiles } from './stored.ts';

/**
 * A cache of click files on the function's disk. A file never changes, so a copy stays valid. Concurrent questions
 * share it.
 */

/** A copy. @property there resolves once it is complete @property users how many questions read it at the moment */
type Kept = { readonly path: string; readonly size: number; readonly there: Promise<void>; users: number };

/** The files that a question reads. */
type Wanted = readonly Pick<ListedFile, 'key' | 'size'>[];

/** How many bytes the cache keeps, unless one question needs more. The function's disk has twice as much room. */
const mostBytes = 1_000_000_000;

/** Copies by key, least recently used first. */
const kept = new Map<string, Kept>();

/** How many copies were made. Each gets a new name, so that deleting an old copy never deletes a newer one. */
let made = 0;

/**
 * Does some work with local copies of files, and keeps them until it ends.
 *
 * @param folder for the copies, the same each time.
 * @param work gets their paths, in the order of the files.
 * @throws as `readingFiles`
 */
export async function withKept<T>(folder: string, files: Wanted, work: (paths: readonly string[]) => Promise<T>): Promise<T> {
  const used: Kept[] = [];
  try {
    const paths = await inParallel(files, concurrency, async (file) => {
      const copy = copyOf(folder, file);
      copy.users++;
      used.push(copy);
      await copy.there;
      return copy.path;
    });
    return await work(paths);
  } finally {
    for (const copy of used) copy.users--;
    await makeRoom(0);
  }
}

function copyOf(folder: string, { key, size }: Wanted[number]): Kept {
  const known = kept.get(key);
  kept.delete(key);
  const copy = known ?? newCopy(join(folder, String(++made)), key, size);
  kept.set(key, copy);
  return copy;
}

function newCopy(path: string, key: string, size: number): Kept {
  const there = makeRoom(size).then(() => readingFiles(() => getFile(key, path)));
  const copy = { path, size, there, users: 0 };
  // The next question tries again.
  there.catch(() => kept.get(key) === copy && kept.delete(key));
  return copy;
}

/** Evicts copies that no question is reading, to make room for this many bytes. */
async function makeRoom(bytes: number): Promise<void> {
  let sum = bytes;
  for (const { size } of kept.values()) sum += size;
  for (const [key, copy] of kept) {
    if (sum <= mostBytes) return;
    if (copy.users > 0) continue;
    sum -= copy.size;
    kept.delete(key);
    await rm(copy.path, { force: true });
  }
}

/** Deletes copies, because one of them may be damaged. Other questions that are reading them fail, too. */
export async function dropKept(files: Wanted): Promise<void> {
  await inParallel(files, concurrency, async ({ key }) => {
    const copy = kept.get(key);
    kept.delete(key);
    if (copy) await rm(copy.path, { force: true });
  });
}
