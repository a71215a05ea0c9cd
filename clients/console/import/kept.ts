import type { FormatName } from '../../migration/formats.ts';
import type { PlannedRow } from '../../migration/planned.ts';
import type { Result } from '../../migration/results.ts';
import type { UsedTemplate } from '../../migration/template.ts';
import type { Schemas } from '../../typescript/client.ts';

// What an import needs to continue after a reload, in the browser's IndexedDB. A workspace has at most one import.

export type KeptImport = {
  readonly workspaceId: string;
  /** Identifies the run, in the `Idempotency-Key` of links that have slugs. */
  readonly runId: string;
  /** Identifies the content of the file, in the `Idempotency-Key` of links without slugs. */
  readonly fingerprint: string;
  readonly fileName: string;
  readonly format: FormatName;
  /** The file's dialect, in words. */
  readonly dialect: string;
  readonly domain: string;
  /** The template of its links. */
  readonly template?: UsedTemplate | undefined;
  /** The names of the tags that every link gets; undefined if an older page has stored the import. */
  readonly tags?: readonly string[] | undefined;
  /** As planned at the start: the time changes a plan. */
  readonly rows: readonly PlannedRow[];
  /** Whether it waits for the person when the page is loaded, instead of continuing by itself. */
  readonly isPaused: boolean;
  /** Present once it is done. */
  readonly results?: readonly Result[];
};

/** A bulk request, stored before it is sent, and again with its answer. */
export type KeptPart = { readonly sentAt: number; readonly answer?: Schemas['BulkAnswer'] };

/** Where imports are stored; tests have their own. */
export type Place = {
  readonly getImport: (workspaceId: string) => Promise<KeptImport | undefined>;
  /** Stores a new import. @returns false if another tab has started one */
  readonly addImport: (kept: KeptImport) => Promise<boolean>;
  /** Stores an import's new state, if it is still the stored one. */
  readonly putImport: (kept: KeptImport) => Promise<void>;
  /** Deletes an import and its parts, if it is still the stored one. */
  readonly forget: (workspaceId: string, runId: string) => Promise<void>;
  readonly getPart: (runId: string, key: string) => Promise<KeptPart | undefined>;
  readonly putPart: (runId: string, key: string, part: KeptPart) => Promise<void>;
};
