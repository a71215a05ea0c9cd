import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * Creates the data folder if it does not exist, closes it to other users, and locks it for this process.
 *
 * The lock is SQLite's lock on an empty file. The operating system holds it and releases it however the process ends,
 * so it never goes stale, unlike a file with a process id.
 *
 * @throws Error with a one-line message if another process has the lock, or if the folder cannot be written to or
 * closed to other users.
 */
export function holdDataFolder(folder: string): { release(): void } {
  const unusable = (error: unknown) => new Error(`the data folder ${folder} cannot be used: ${(error as Error).message}`);
  try {
    makeFolder(folder);
    closeToOthers(folder);
    const lock = new DatabaseSync(join(folder, 'lock.sqlite'));
    lock.exec('BEGIN EXCLUSIVE');
    return { release: () => lock.close() };
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw unusable(error);
    throw new Error(
      `the data folder ${folder} is in use by a running service: stop it, or choose another folder with --data-dir`,
    );
  }
}

/** Closing the folder is enough: other users cannot reach the files in it, whatever their modes. */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder);
  // The sticky bit marks a shared folder such as /tmp, which must stay open to others.
  if (mode & 0o1000) throw new Error('it is shared with other users');
  if (mode & 0o077) chmodSync(folder, mode & 0o700);
}

/**
 * Creates a folder and its parents. `mkdir` with `recursive` never returns if a parent can be read but takes no new
 * folders (`/proc`).
 */
export function makeFolder(folder: string): void {
  if (!existsSync(folder)) {
    makeFolder(dirname(folder));
    // The data include hashes of passwords and keys.
    mkdirSync(folder, { mode: 0o700 });
  }
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
}
