import type { Link } from '../../service/types.ts';
import { toastFailure } from '../actions.ts';
import { Button } from '../kit/button.tsx';
import { downloadCode } from './qr.tsx';

type CodeActionsProps = { readonly link: Link; readonly onChangeLook: () => void };

/** What can be done with the QR code of a link. */
export function CodeActions({ link, onChangeLook }: CodeActionsProps) {
  const save = (format: 'svg' | 'png') => (
    <Button
      aria-label={`Save the QR code as ${format.toUpperCase()}`}
      onClick={() => downloadCode(link.id, link.shortCode, format).catch(toastFailure)}
    >
      {format.toUpperCase()}
    </Button>
  );
  return (
    <div className="actions code-actions">
      QR code: {save('svg')} {save('png')}
      <Button kind="link" aria-label="Change look of the QR code" onClick={onChangeLook}>
        Change look
      </Button>
    </div>
  );
}
