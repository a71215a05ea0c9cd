import { plainStyle, qrModules, qrSvg } from '../core/qr/qr-code.ts';

/** The QR code of a link, as an SVG image. */
export const codeImage = (shortUrl: string): string => qrSvg(qrModules(shortUrl), plainStyle);
