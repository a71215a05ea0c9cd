import type { Link } from '../../service/types.ts';
import { toastFailure } from '../actions.ts';
import { Button } from '../button.tsx';
import { downloadCode } from './qr.tsx';

type CodeActionsProps = { readonly link: Link; readonly onChangeLook: () => void };

/** The actions for the QR code of a link. */
export function CodeActions({ link, onChangeLook }: CodeActionsProps) {
  const save = (format: 'svg' | 'png') => (
    <Button
      aria-label={`Save the QR code as ${format.toUpperCase()}`}
      onClick={() => downloadCode(link.id, link.shortCode, format).catch((error) => toastFailure(error))}
    >
      {format.toUpperCase()}
    </Button>
  );
  return (
    <div className="actions code-actions">
      QR code: {save('svg')} {save('png')}
      <Button kind="link" aria-label="Customize the QR code" onClick={onChangeLook}>
        Customize
      </Button>
    </div>
  );
}
