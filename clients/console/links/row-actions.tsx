import { lazy, type ReactNode, useState } from 'react';
import { archiveLink, removeLink, shortAddress, switchLink } from '../parts/actions.ts';
import { announce } from '../parts/announce.ts';
import { copyText } from '../parts/copy.tsx';
import { LoadedLater } from '../parts/loaded.tsx';
import type { MenuItem } from '../parts/menu.tsx';
import { toast } from '../parts/toasts.tsx';
import { addressAbout, go } from '../service/location.ts';
import type { Link } from '../service/types.ts';

const DeleteLinks = lazy(async () => ({ default: (await import('../parts/link/delete-links.tsx')).DeleteLinks }));
const QrDialog = lazy(async () => ({ default: (await import('../parts/link/qr-dialog.tsx')).QrDialog }));

export type RowAction = 'copy' | 'code' | 'statistics' | 'edit' | 'duplicate' | 'history' | 'switch' | 'archive' | 'delete';

/** The menu of a row, with the keys that do the same. */
export const menuOf = (link: Link, act: (action: RowAction, link: Link) => void): readonly MenuItem[] => [
  { label: 'Copy short link', hint: 'C', run: () => act('copy', link) },
  { label: 'QR code', hint: 'Q', run: () => act('code', link) },
  { label: 'Statistics', hint: 'S', run: () => act('statistics', link) },
  { label: 'Edit', hint: 'E', run: () => act('edit', link) },
  { label: 'Duplicate', hint: 'D', run: () => act('duplicate', link) },
  { label: 'History', hint: 'H', run: () => act('history', link) },
  { label: 'Open destination', href: link.url },
  { label: link.isActive ? 'Switch off' : 'Switch on', hint: 'O', run: () => act('switch', link) },
  { label: link.isArchived ? 'Take out of the archive' : 'Archive', hint: 'A', run: () => act('archive', link) },
  { label: 'Delete…', hint: 'Delete', isBad: true, run: () => act('delete', link) },
];

async function copyAndSay(link: Link): Promise<void> {
  const isCopied = await copyText(link.shortUrl);
  if (isCopied) announce('Copied');
  toast(
    isCopied
      ? `${shortAddress(link.shortUrl)} is copied.`
      : `The browser does not allow copying. The address is ${link.shortUrl}`,
    {
      tone: isCopied ? 'good' : 'bad',
    },
  );
}

/** The actions for the link of a row, and the dialog that one may need. */
export function useRowActions(): { act: (action: RowAction, link: Link) => void; dialog: ReactNode } {
  const [asked, ask] = useState<{ readonly action: 'code' | 'delete'; readonly link: Link }>();
  const act = (action: RowAction, link: Link) => {
    switch (action) {
      case 'copy':
        return void copyAndSay(link);
      case 'edit':
        return go({ linkId: link.id, isEditing: true });
      case 'duplicate':
        return go({ screen: 'new', linkId: undefined, from: link.id });
      case 'statistics':
      case 'history':
        return go(addressAbout(action, link.id));
      case 'switch':
        return void switchLink(link);
      case 'archive':
        return void archiveLink(link);
      default:
        return ask({ action, link });
    }
  };
  const close = () => ask(undefined);
  const dialog = (
    <LoadedLater>
      {asked?.action === 'code' && <QrDialog link={asked.link} onClose={close} />}
      {asked?.action === 'delete' && (
        <DeleteLinks
          links={[asked.link]}
          onClose={close}
          onDelete={() => {
            close();
            void removeLink(asked.link);
          }}
        />
      )}
    </LoadedLater>
  );
  return { act, dialog };
}
