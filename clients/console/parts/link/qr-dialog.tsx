import { useId, useState } from 'react';
import { failureOf } from '../../service/failures.ts';
import type { Link } from '../../service/types.ts';
import { shortAddress } from '../actions.ts';
import { Dialog } from '../dialog.tsx';
import { useOnline } from '../failure.tsx';
import { Button } from '../kit/button.tsx';
import { downloadCode, plainLook, QrImage, type QrLook } from './qr.tsx';
import { scanWarning } from './state.ts';

const sizes = [256, 512, 1024, 2048];
const margins = [0, 2, 4, 8];
const hex = (color: string): string => color.replace('#', '');

/** The QR code of a link to save, in the colours and the size that somebody wants. */
export function QrDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const [look, setLook] = useState<QrLook>(plainLook);
  const [wrong, setWrong] = useState('');
  const isOnline = useOnline();
  const id = useId();
  const warning = scanWarning(link);
  const set = (change: Partial<QrLook>) => {
    setWrong('');
    setLook({ ...look, ...change });
  };
  const save = async (format: 'svg' | 'png') => {
    try {
      await downloadCode(link.id, link.shortCode, format, look);
    } catch (error) {
      setWrong(failureOf(error, isOnline).text);
    }
  };
  return (
    <Dialog title={`QR code of ${shortAddress(link.shortUrl)}`} onClose={onClose}>
      {warning !== undefined && <p className="notice warning">{warning}</p>}
      <QrImage id={link.id} name={shortAddress(link.shortUrl)} width={240} look={look} />
      <div className="qr-fields">
        <label htmlFor={`${id}-fg`}>Colour</label>
        <input
          id={`${id}-fg`}
          type="color"
          value={`#${look.foreground}`}
          onChange={(event) => set({ foreground: hex(event.target.value) })}
        />
        <label htmlFor={`${id}-bg`}>Background</label>
        <input
          id={`${id}-bg`}
          type="color"
          value={`#${look.background}`}
          onChange={(event) => set({ background: hex(event.target.value) })}
        />
        <label htmlFor={`${id}-size`}>Size</label>
        <select id={`${id}-size`} value={look.size} onChange={(event) => set({ size: Number(event.target.value) })}>
          {sizes.map((size) => (
            <option key={size} value={size}>
              {size} pixels
            </option>
          ))}
        </select>
        <label htmlFor={`${id}-margin`}>Margin</label>
        <select id={`${id}-margin`} value={look.margin} onChange={(event) => set({ margin: Number(event.target.value) })}>
          {margins.map((margin) => (
            <option key={margin} value={margin}>
              {margin === 0 ? 'none' : `${margin} squares wide${margin === 4 ? ', as scanners want it' : ''}`}
            </option>
          ))}
        </select>
      </div>
      <p className="field-error" role="alert">
        {wrong}
      </p>
      <p className="actions">
        <Button kind="primary" onClick={() => save('svg')}>
          Save SVG
        </Button>
        <Button onClick={() => save('png')}>Save PNG</Button>
      </p>
    </Dialog>
  );
}
