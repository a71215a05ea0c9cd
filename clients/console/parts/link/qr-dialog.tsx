import { useState } from 'react';
import type { Link } from '../../service/types.ts';
import { shortAddress } from '../actions.ts';
import { Button } from '../button.tsx';
import { useChange } from '../kit/change.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { SelectField, TextField } from '../kit/field.tsx';
import { downloadCode, keepLook, keptLook, QrImage, type QrLook } from './qr.tsx';
import { scanWarning } from './state.ts';

const sizes = [256, 512, 1024, 2048].map((size) => [size, `${size} pixels`] as const);
const margins = [
  [4, 'Standard (recommended)'],
  [0, 'None'],
  [2, 'Narrow'],
  [8, 'Wide'],
] as const;
const hex = (color: string): string => color.replace('#', '');

/** The QR code of a link to save, in chosen colours and size. */
export function QrDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const [look, setLook] = useState<QrLook>(keptLook);
  const change = useChange(undefined);
  const warning = scanWarning(link);
  const set = (some: Partial<QrLook>) => {
    change.forget();
    setLook({ ...look, ...some });
  };
  const save = (format: 'svg' | 'png') =>
    change.run(async () => {
      await downloadCode(link.id, link.shortCode, format, look);
      keepLook(look);
      return {};
    });
  return (
    <Dialog title={`QR code of ${shortAddress(link.shortUrl)}`} onClose={onClose}>
      {warning !== undefined && <p className="notice warning">{warning}</p>}
      <QrImage id={link.id} name={shortAddress(link.shortUrl)} width={240} look={look} />
      <div className="field-row">
        <TextField label="Colour" type="color" value={`#${look.foreground}`} onText={(text) => set({ foreground: hex(text) })} />
        <TextField
          label="Background"
          type="color"
          value={`#${look.background}`}
          onText={(text) => set({ background: hex(text) })}
        />
        <SelectField label="Size" value={look.size} options={sizes} onChoose={(size) => set({ size })} />
        <SelectField label="Margin" value={look.margin} options={margins} onChoose={(margin) => set({ margin })} />
      </div>
      {change.note}
      <p className="actions">
        <Button kind="primary" disabled={change.isBusy} onClick={() => save('svg')}>
          Save SVG
        </Button>
        <Button disabled={change.isBusy} onClick={() => save('png')}>
          Save PNG
        </Button>
      </p>
    </Dialog>
  );
}
