import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { type ClickRow, rowsOfText } from '../../../lambdas/core/click/row.ts';
import { useStore } from '../store/store.ts';
import { newRow } from '../things/rows.ts';
import type { fakeBucket } from './fake-bucket.ts';

const dayMs = 24 * 60 * 60_000;
const today = new Date();
/**
 * When clicks of a test happen: around the end of a month (UTC), in milliseconds since 1970. It is so long ago that files can
 * be made much older, and still be younger than their clicks.
 */
const monthsEnd = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 24, 1);

/** A time in that month, or the one after it, in ISO 8601. @param seconds from its end */
export const atEnd = (seconds: number): string => new Date(monthsEnd + seconds * 1_000).toISOString();

export const [oldMonth, nextMonth] = [atEnd(-1).slice(0, 7), atEnd(0).slice(0, 7)] as const;

/** The click log on tables of a real engine and a bucket in memory, which `vi.mock` must have replaced. */
export async function useLog(bucket: ReturnType<typeof fakeBucket>) {
  process.env.CLICK_DAYS = '1100';
  const store = await useStore();
  const [tail, entries, notes, files, sealing, merging, stored, duckdb, tables] = await Promise.all([
    import('../../../lambdas/store/clicks/tail.ts'),
    import('../../../lambdas/store/clicks/tail-entries.ts'),
    import('../../../lambdas/store/clicks/erased-notes.ts'),
    import('../../../lambdas/click-log/files.ts'),
    import('../../../lambdas/click-log/sealing.ts'),
    import('../../../lambdas/click-log/merging.ts'),
    import('../../../lambdas/click-log/stored.ts'),
    import('../../../lambdas/click-log/duckdb.ts'),
    import('../../../lambdas/store/table/keys.ts'),
  ]);

  const inTail = async (workspaceId: string): Promise<ClickRow[]> =>
    (await Array.fromAsync(tail.readTail(workspaceId))).flatMap(({ text }) => rowsOfText(text));

  /** The rows of all files that count, in the order of months and numbers. */
  const inFiles = (workspaceId: string) =>
    duckdb.withDatabase(async (database) => {
      const listed = (await bucket.module.listFiles(files.logFilePrefix(workspaceId)))
        .map(stored.toListedFile)
        .filter((file) => file !== undefined);
      const current = [...Map.groupBy(listed, ({ month }) => month).values()].flatMap(files.currentFiles);
      const paths = await stored.download(database, current);
      return paths.length === 0 ? [] : database.run('SELECT * FROM read_parquet($paths, union_by_name = true)', { paths });
    });

  /** The rows of a file, wherever it is. */
  const rowsIn = (key: string) =>
    duckdb.withDatabase(async (database) => {
      const paths = await stored.download(database, [{ key }]);
      return database.run('SELECT * FROM read_parquet($paths)', { paths });
    });

  /** The columns of a file, with their types. */
  const columnsIn = (key: string) =>
    duckdb.withDatabase(async (database) => {
      const [path = ''] = await stored.download(database, [{ key }]);
      return database.run('SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet($path))', { path });
    });

  return {
    ...store,
    ...tail,
    ...entries,
    ...notes,
    seal: sealing.seal,
    tendMonth: merging.tendMonth,
    inTail,
    inFiles,
    rowsIn,
    columnsIn,
    /** Makes a workspace. Its links share a name, so that rows of any link can be made. */
    newLog: async () => {
      const { id } = await store.createWorkspace('A workspace', async () => `gateway-${randomBase62(8)}`);
      return id;
    },
    /** A row whose `slug` no other row has, so that it can be recognised without its id. */
    newClick: (fields: Partial<ClickRow> = {}) => newRow({ slug: randomBase62(8), ...fields }),
    /** The slugs of all clicks that queries find, each once. Merged rows have no ids, and are never in the tail. */
    slugsOf: async (workspaceId: string): Promise<string[]> => {
      const rows = await inTail(workspaceId);
      const sealed = await inFiles(workspaceId);
      const ids = new Set(sealed.map(({ id }) => id));
      const open = new Map(rows.filter(({ id }) => !ids.has(id)).map(({ id, slug }) => [id, slug]));
      return [...sealed.map(({ slug }) => String(slug)), ...open.values()].sort();
    },
    /** Notes that the clicks of a link were erased. @param msAgo when, so that it is due by now */
    noteErasure: (workspaceId: string, linkId: string, epoch: number, msAgo = 0) =>
      store.putItem(notes.erasedNote(workspaceId, linkId, epoch, Date.now() - msAgo)),
    dueErasures: notes.dueErasures,
    /** Moves the due times of a workspace's erasures back, by that many milliseconds. */
    hastenErasures: async (workspaceId: string, ms: number) => {
      const notes = await Array.fromAsync(store.query({ pk: `ERASED#${workspaceId}`, skPrefix: '' }));
      for (const { gsi1sk, ...note } of notes) {
        const [at = '', mark] = String(gsi1sk).split('#');
        if (gsi1sk) await store.putItem({ ...note, gsi1sk: `${new Date(Date.parse(at) - ms).toISOString()}#${mark}` } as never);
      }
    },
    deleteWorkspaceItem: (workspaceId: string) => store.deleteItem(tables.workspaceKey(workspaceId)),
    dayMs,
  };
}
export type Log = Awaited<ReturnType<typeof useLog>>;
