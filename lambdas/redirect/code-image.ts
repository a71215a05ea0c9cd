import { plainStyle, qrModules, qrSvg } from '../core/qr/qr-code.ts';

/** A link's QR code as an SVG image. */
export const codeImage = (shortUrl: string): string => qrSvg(qrModules(shortUrl), plainStyle);
