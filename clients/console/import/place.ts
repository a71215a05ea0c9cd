import type { KeptImport, Place } from './kept.ts';

/** `service/unfinished.ts` deletes it when somebody signs out. */
const databaseName = 'links-imports';

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'));
  });

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('imports', { keyPath: 'workspaceId' });
    request.result.createObjectStore('parts');
  };
  return answerOf(request).then((database) => {
    // Signing out in another tab deletes the database, and must not wait for this one.
    database.onversionchange = () => {
      database.close();
      opened = undefined;
    };
    return database;
  });
}

/**
 * Runs requests in one transaction. Resolves once they are on the disk, so that a crash of the browser loses nothing.
 */
async function write(work: (imports: IDBObjectStore, parts: IDBObjectStore) => void): Promise<void> {
  opened ??= open();
  const transaction = (await opened).transaction(['imports', 'parts'], 'readwrite', { durability: 'strict' });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser keeps nothing'));
  });
  work(transaction.objectStore('imports'), transaction.objectStore('parts'));
  return done;
}

async function read<T>(store: 'imports' | 'parts', key: IDBValidKey): Promise<T | undefined> {
  opened ??= open();
  return answerOf<T | undefined>((await opened).transaction(store).objectStore(store).get(key));
}

/** Reads and changes a workspace's import in one transaction, so that no other tab interferes. */
const withImport = (imports: IDBObjectStore, workspaceId: string, then: (found: KeptImport | undefined) => void): void => {
  const request = imports.get(workspaceId) as IDBRequest<KeptImport | undefined>;
  request.onsuccess = () => then(request.result);
};

export const place: Place = {
  getImport: (workspaceId) => read('imports', workspaceId),
  addImport: async (kept) => {
    let isAdded = false;
    await write((imports) =>
      withImport(imports, kept.workspaceId, (found) => {
        isAdded = found === undefined;
        if (isAdded) imports.put(kept);
      }),
    );
    return isAdded;
  },
  putImport: (kept) =>
    write((imports) =>
      withImport(imports, kept.workspaceId, (found) => {
        if (found?.runId === kept.runId) imports.put(kept);
      }),
    ),
  forget: (workspaceId, runId) =>
    write((imports, parts) => {
      withImport(imports, workspaceId, (found) => {
        if (found?.runId === runId) imports.delete(workspaceId);
      });
      parts.delete(IDBKeyRange.bound([runId], [runId, []]));
    }),
  getPart: (runId, key) => read('parts', [runId, key]),
  putPart: (runId, key, part) => write((_, parts) => parts.put(part, [runId, key])),
};
