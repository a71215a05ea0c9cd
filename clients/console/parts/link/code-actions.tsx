import type { Link } from '../../service/types.ts';
import { toastFailure } from '../actions.ts';
import { downloadCode } from './qr.tsx';

type CodeActionsProps = { readonly link: Link; readonly onChangeLook: () => void };

/** What can be done with the QR code of a link. */
export function CodeActions({ link, onChangeLook }: CodeActionsProps) {
  const save = (format: 'svg' | 'png') => (
    <button
      type="button"
      className="button"
      aria-label={`Save the QR code as ${format.toUpperCase()}`}
      onClick={() => void downloadCode(link.id, link.shortCode, format).catch(toastFailure)}
    >
      {format.toUpperCase()}
    </button>
  );
  return (
    <div className="actions code-actions">
      QR code: {save('svg')} {save('png')}
      <button type="button" className="link-button" aria-label="Change look of the QR code" onClick={onChangeLook}>
        Change look
      </button>
    </div>
  );
}
