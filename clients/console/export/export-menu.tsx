import { lazy, useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { LoadedLater } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { useMay } from '../service/queries.ts';
import type { Wanted } from './export-dialog.tsx';

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

/**
 * Saves links or their clicks as a file: of the links that the list shows, or of all.
 *
 * @param filter what the list asks for, if it is filtered
 */
export function ExportMenu({ filter }: { readonly filter: Wanted['filter'] }) {
  const mayStats = useMay('stats:read');
  const [wanted, want] = useState<Wanted>();
  const item = (label: string, what: Wanted['what'], isAll: boolean) => ({
    label,
    run: () => want({ what, filter: isAll ? undefined : filter }),
  });
  return (
    <>
      <Menu
        label="Export"
        className="button"
        button={
          <>
            Export <Icon name="chevron" />
          </>
        }
        items={[
          ...(filter ? [item('Links as shown', 'links', false)] : []),
          item('All links', 'links', true),
          ...(mayStats && filter ? [item('Clicks of the links as shown', 'clicks', false)] : []),
          ...(mayStats ? [item('Clicks of all links', 'clicks', true)] : []),
        ]}
      />
      {wanted && (
        <LoadedLater>
          <ExportDialog wanted={wanted} onClose={() => want(undefined)} />
        </LoadedLater>
      )}
    </>
  );
}
