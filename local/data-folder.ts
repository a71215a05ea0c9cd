import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * Makes the data folder if need be, keeps other users out of it, and takes it for this process.
 *
 * The lock is SQLite's own on an empty file: held by the operating system, it ends with the process however that ends, and
 * leaves nothing stale behind, as a file with a process id would.
 *
 * @throws Error in one line when another process has it, when it cannot be written to, or when it cannot be closed to other users.
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
    throw new Error(`the data folder ${folder} is in use by a running service: end that one, or choose another with --data-dir`);
  }
}

/** Files in it may be open to others: they cannot get to them. */
function closeToOthers(folder: string): void {
  const { mode } = statSync(folder);
  // Such as /tmp, which others would miss.
  if (mode & 0o1000) throw new Error('it is shared with other users');
  if (mode & 0o077) chmodSync(folder, mode & 0o700);
}

/** Not `mkdir` with `recursive`, which never returns where a folder can be read but takes no new ones (`/proc`). */
export function makeFolder(folder: string): void {
  if (!existsSync(folder)) {
    makeFolder(dirname(folder));
    // It has hashes of passwords and keys in it: they are its owner's alone.
    mkdirSync(folder, { mode: 0o700 });
  }
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder`);
}
