import { switchKeys, useKeysAreOn } from '../parts/keys.ts';
import { Dialog } from '../parts/kit/dialog.tsx';
import { screens } from './screens.tsx';

const keys: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Find a link or a page'],
  ['/', 'Search the list'],
  ['N', 'New link'],
  ...screens.map(({ key, title }) => [`G ${key.toUpperCase()}`, `Go to: ${title}`] as const),
  ['?', 'Show these keys'],
  ['↑ ↓', 'Move in the list; Home and End go to its ends'],
  ['Enter', 'Open the link'],
  ['Space', 'Select the link; Shift with ↑ ↓ selects more'],
  ['C Q E D', 'Copy, QR code, edit, duplicate the focused link'],
  ['S H', 'Statistics and history of the focused link'],
  ['O', 'Switch the focused link off or on'],
  ['A', 'Archive the focused link, or take it out of the archive'],
  ['Delete', 'Delete the focused link'],
  ['R', 'Check this domain now; send this delivery again'],
  ['← →', 'Go to the next delivery, or to the range before or after'],
  ['T 7 3 9', 'Statistics: today, 7, 30 or 90 days'],
  ['X V', 'Statistics: compare; show a table'],
  ['U', 'Undo the focused change in the history'],
  ['Ctrl Enter', 'Save'],
  ['Ctrl Z', 'Undo the last change, while its message is shown'],
  ['Esc', 'Close what is open, then clear the selection, then the filters'],
];

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const areOn = useKeysAreOn();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={areOn} onChange={(event) => switchKeys(event.target.checked)} />
        Use single-key shortcuts
      </label>
    </Dialog>
  );
}
