import type { FormatName } from '../../migration/formats.ts';
import type { PlannedRow } from '../../migration/planned.ts';
import type { Result } from '../../migration/results.ts';
import type { UsedTemplate } from '../../migration/template.ts';
import type { Schemas } from '../../typescript/client.ts';

// What an import needs to go on after a reload, in the browser's IndexedDB. A workspace has at most one import.

export type KeptImport = {
  readonly workspaceId: string;
  /** Identifies the run, in the `Idempotency-Key` of links that have slugs. */
  readonly runId: string;
  /** Identifies the content of the file, in the `Idempotency-Key` of links without slugs. */
  readonly fingerprint: string;
  readonly fileName: string;
  readonly format: FormatName;
  /** How the file is written. */
  readonly dialect: string;
  readonly domain: string;
  /** What they are made with. */
  readonly template?: UsedTemplate | undefined;
  /** The names of those that every link gets; undefined if an older page has kept the import. */
  readonly tags?: readonly string[] | undefined;
  /** As planned at the start: a plan depends on the time. */
  readonly rows: readonly PlannedRow[];
  /** Whether it goes on by itself when the page is loaded. */
  readonly isPaused: boolean;
  /** Once it is done. */
  readonly results?: readonly Result[];
};

/** A bulk request: kept before it is sent, and again with its answer. */
export type KeptPart = { readonly sentAt: number; readonly answer?: Schemas['BulkAnswer'] };

/** Where imports are kept; a test has one of its own. */
export type Place = {
  readonly getImport: (workspaceId: string) => Promise<KeptImport | undefined>;
  /** Keeps a new import. @returns whether it does: there may be another one, which another tab has started */
  readonly addImport: (kept: KeptImport) => Promise<boolean>;
  /** Keeps an import as it is now, if it is still the one that is kept. */
  readonly putImport: (kept: KeptImport) => Promise<void>;
  /** Forgets an import and its parts, if it is still the one that is kept. */
  readonly forget: (workspaceId: string, runId: string) => Promise<void>;
  readonly getPart: (runId: string, key: string) => Promise<KeptPart | undefined>;
  readonly putPart: (runId: string, key: string, part: KeptPart) => Promise<void>;
};
