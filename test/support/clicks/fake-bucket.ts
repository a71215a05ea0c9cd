import { readFileSync, writeFileSync } from 'node:fs';

/** A file of the bucket. @property modifiedAt by the clock of S3, in milliseconds since 1970 */
type Stored = { readonly content: Buffer; readonly modifiedAt: number };

/** A call of the bucket, such as `putNewFile`, and its key or prefix. */
type Call = readonly [name: string, key: string];

/** The fault at a call: it may throw before or after the call is executed. */
type Befall = (call: Call, execute: () => unknown) => Promise<unknown>;

const calm: Befall = async (_, execute) => execute();

/**
 * A bucket in memory, for `vi.mock` of `lambdas/outbound/click-files.ts`: with the same signatures, a clock that tests set,
 * and calls that tests let fail.
 */
export function fakeBucket() {
  const files = new Map<string, Stored>();
  const state = { clock: () => Date.now(), befall: calm };
  const calls: Call[] = [];
  const versions: string[] = [];
  const call = async <T>(name: string, key: string, execute: () => T): Promise<T> => {
    calls.push([name, key]);
    return (await state.befall([name, key], execute)) as T;
  };
  const list = (prefix: string, after = '') =>
    [...files]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, { content, modifiedAt }]) => ({ key, size: content.length, modifiedAt }));
  const module = {
    listFiles: (prefix: string) => call('listFiles', prefix, () => list(prefix)),
    filesUnder: async function* (prefix: string, after?: string) {
      yield* await call('filesUnder', prefix, () => list(prefix, after));
    },
    getFile: (key: string, path: string) =>
      call('getFile', key, () => {
        const file = files.get(key);
        if (!file) throw Object.assign(new Error(`no file ${key}`), { name: 'NoSuchKey' });
        writeFileSync(path, file.content);
      }),
    putNewFile: (key: string, path: string) =>
      call('putNewFile', key, () => {
        if (files.has(key)) return 'exists';
        files.set(key, { content: readFileSync(path), modifiedAt: state.clock() });
        return 'made';
      }),
    deleteVersions: (prefix: string) =>
      call('deleteVersions', prefix, () => {
        for (const { key } of list(prefix)) files.delete(key);
        versions.push(prefix);
        return true;
      }),
    deleteFile: (key: string) => call('deleteFile', key, () => void files.delete(key)),
  };
  return {
    module,
    /** Its files, by key. */
    files,
    /** The prefixes of which all versions were deleted. */
    versions,
    /** All calls so far. */
    calls,
    /** The fault at the next calls, and the time of S3's clock. */
    state,
    /** Ends all faults, and corrects S3's clock. */
    calm: () => Object.assign(state, { clock: () => Date.now(), befall: calm }),
    /** Makes all files of a workspace older, by that many milliseconds. */
    age: (workspaceId: string, ms: number) => {
      for (const [key, file] of files) {
        if (key.includes(`workspace=${workspaceId}/`)) files.set(key, { ...file, modifiedAt: file.modifiedAt - ms });
      }
    },
    /** The keys of a workspace's files, without the beginning that they share. */
    keysOf: (workspaceId: string) => list(`clicks/workspace=${workspaceId}/`).map(({ key }) => key.split('/').slice(2).join('/')),
  };
}
