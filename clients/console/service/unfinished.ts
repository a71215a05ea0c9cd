import { setPasted } from './pasted.ts';

// Which workspace has an import that a reload may interrupt. It is known without opening the database.

const name = 'links-import';

export const unfinishedImport = (): string | null => localStorage.getItem(name);

/** @param workspaceId null if there is none, or none that continues by itself. */
export function noteUnfinishedImport(workspaceId: string | null): void {
  if (workspaceId === null) localStorage.removeItem(name);
  else localStorage.setItem(name, workspaceId);
}

/** Forgets all imports of this browser, and what was pasted for one. */
export function forgetImports(): void {
  setPasted(undefined);
  noteUnfinishedImport(null);
  indexedDB.deleteDatabase('links-imports');
}
