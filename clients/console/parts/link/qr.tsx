import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../service/client.ts';
import { download } from '../download.ts';

export type QrLook = {
  readonly foreground: string;
  readonly background: string;
  readonly size: number;
  readonly margin: number;
};

const plainLook: QrLook = { foreground: '000000', background: 'ffffff', size: 512, margin: 4 };

const place = 'links-code';

/** The look with which this browser last saved a code, so that all codes of a brand look the same. */
export function keptLook(): QrLook {
  const [, foreground, background, size, margin] =
    /^([\da-f]{6}) ([\da-f]{6}) (\d{1,4}) (\d)$/.exec(localStorage.getItem(place) ?? '') ?? [];
  if (!foreground || !background) return plainLook;
  return { foreground, background, size: Number(size), margin: Number(margin) };
}

export const keepLook = ({ foreground, background, size, margin }: QrLook): void =>
  localStorage.setItem(place, `${foreground} ${background} ${size} ${margin}`);

/** The QR code of a link as a file. @throws ProblemError, for example if the contrast of the colours is too low. */
async function fetchCode(id: string, format: 'svg' | 'png', look: QrLook, signal?: AbortSignal): Promise<Blob> {
  const query = { ...look, format };
  const type = format === 'png' ? 'image/png' : 'image/svg+xml';
  const init = { params: { path: { id }, query }, headers: { Accept: type }, parseAs: 'blob', signal } as const;
  const { data } = await api.GET('/api/v1/links/{id}/qr', init);
  return new Blob([data as unknown as Blob], { type });
}

/** The QR code of a link. The service draws it, so that it is the same everywhere. */
export function QrImage({
  id,
  name,
  width,
  look = keptLook(),
}: {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly look?: QrLook;
}) {
  const { data: blob, error } = useQuery({
    queryKey: ['qr', id, look],
    queryFn: ({ signal }) => fetchCode(id, 'svg', look, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  const size = { width, height: width };
  if (error)
    return (
      <span className="qr small" style={size}>
        The code could not be drawn.
      </span>
    );
  if (!url) return <span className="qr" style={size} aria-busy="true" />;
  return <img className="qr" src={url} alt={`QR code of ${name}`} {...size} />;
}

/** Saves the code of a link as a file that is named after it. */
export const downloadCode = async (
  id: string,
  shortCode: string,
  format: 'svg' | 'png',
  look: QrLook = keptLook(),
): Promise<void> => download(await fetchCode(id, format, look), `${shortCode}.${format}`);
