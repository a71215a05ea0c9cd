import { useState } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { TagPicker } from '../parts/filter/tag-picker.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { DeleteLinks } from '../parts/link/delete-links.tsx';
import { count, counted } from '../parts/time.ts';
import { useTags } from '../service/queries.ts';
import { ReplaceDialog } from './replace-dialog.tsx';
import { emptySelection, type Select, type Selection } from './selection.ts';
import type { Bulk } from './use-bulk.ts';

type BulkBarProps = {
  readonly selection: Selection;
  readonly select: Select;
  readonly bulk: Bulk;
  /** Whether further links match that are not selected. */
  readonly hasMore: boolean;
};

/** The number of selected links, and the actions for all of them. It is below the list, so that no row moves. */
export function BulkBar({ selection, select, hasMore, bulk: { change, update, replace, remove, selectAll } }: BulkBarProps) {
  const { data: tags = [] } = useTags();
  const [asked, ask] = useState<'replace' | 'delete'>();
  const { isBusy } = change;
  const areArchived = selection.links().every(({ isArchived }) => isArchived);
  const inUse = isBusy ? new Set() : new Set(selection.links().flatMap(({ tagIds }) => tagIds));
  return (
    <div className="bulk" role="toolbar" aria-label="Selected links">
      <strong>{count(selection.size)} selected</strong>
      <IconButton
        icon="close"
        label="Clear the selection"
        disabled={isBusy}
        onClick={() => {
          select(emptySelection);
          document.querySelector<HTMLElement>('.grid [role=row][tabindex="0"]')?.focus();
        }}
      />
      {change.note}
      {!isBusy && (
        <>
          {hasMore && (
            <Button kind="link" onClick={selectAll}>
              Select all that match
            </Button>
          )}
          <TagPicker
            label="Add tags"
            canCreate
            tags={tags}
            chosen={[]}
            confirm={(n) => `Add ${counted(n, 'tag')}`}
            onChange={(ids) => update({ addTagIds: ids }, 'tagged')}
          />
          <TagPicker
            label="Remove tags"
            tags={tags.filter(({ id }) => inUse.has(id))}
            none="The selected links have no tags."
            chosen={[]}
            confirm={(n) => `Remove ${counted(n, 'tag')}`}
            onChange={(ids) => update({ removeTagIds: ids }, 'untagged')}
          />
          <Button onClick={() => ask('replace')}>Change destinations…</Button>
          <Button onClick={() => update({ isActive: false }, 'switched off')}>Switch off</Button>
          <Button onClick={() => update({ isActive: true }, 'switched on')}>Switch on</Button>
          <Button onClick={() => update({ isArchived: !areArchived }, areArchived ? 'taken out of the archive' : 'archived')}>
            {areArchived ? 'Take out of the archive' : 'Archive'}
          </Button>
          <Button kind="bad" onClick={() => ask('delete')}>
            Delete…
          </Button>
        </>
      )}
      {asked === 'replace' && <ReplaceDialog links={selection.links()} onClose={() => ask(undefined)} onReplace={replace} />}
      {asked === 'delete' && (
        <DeleteLinks
          links={selection.links()}
          onClose={() => ask(undefined)}
          onDelete={() => {
            ask(undefined);
            remove();
          }}
        />
      )}
    </div>
  );
}

/** The failed links, and why. */
export const FailedDialog = ({ failed, onClose }: { readonly failed: readonly string[]; readonly onClose: () => void }) => (
  <Dialog title={`${counted(failed.length, 'link')} failed`} onClose={onClose}>
    <ul className="failed">
      {failed.map((text) => (
        <li key={text}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  </Dialog>
);
