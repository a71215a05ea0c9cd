import * as z from 'zod/mini';
import { orNotFound, RequestError, RuleError } from '../../core/errors.ts';
import { shortUrlOf } from '../../core/link/link.ts';
import { checkContrast, eccLevels, parseQrColor, plainStyle, qrMargin, qrModules, qrSize, qrSvg } from '../../core/qr/qr-code.ts';
import { qrPng } from '../../core/qr/qr-png.ts';
import { type ApiEvent, header } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTaggedFile } from '../../http/entity-tag.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { ruled, wholeNumber } from '../../http/validation.ts';
import { setting } from '../../runtime/settings.ts';
import { findNamedLink } from '../../store/links/named-links.ts';

export const query = z.strictObject({
  format: z.optional(z.enum(['svg', 'png'])),
  size: z.optional(wholeNumber(qrSize.least, qrSize.most)),
  margin: z.optional(wholeNumber(0, qrMargin.most)),
  ecc: z.optional(z.enum(eccLevels)),
  foreground: z.optional(ruled(parseQrColor)),
  background: z.optional(ruled(parseQrColor)),
});

export const handler = endpoint({ query }, async ({ workspaceId, id, query, event }) => {
  const { format = 'svg', ecc, ...asked } = query;
  const style = { ...plainStyle, ...asked };
  checked(asked.foreground === undefined ? 'background' : 'foreground', () => checkContrast(style));
  if (format === 'png' && !getsBinary(event))
    throw new RequestError('not_acceptable', 'To get a PNG image, send an Accept header that starts with image/png.');
  const link = orNotFound(await findNamedLink(workspaceId, id), 'link');
  const modules = qrModules(shortUrlOf(link, setting('SHORT_URL_ORIGIN')), ecc);
  if (format === 'svg') return replyTaggedFile(event, 'image/svg+xml', qrSvg(modules, style));
  return replyTaggedFile(
    event,
    'image/png',
    checked('size', () => qrPng(modules, style)),
  );
});

/** The result of a rule for a query parameter. @throws RequestError `validation_failed`, which names the parameter */
function checked<T>(name: string, rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    throw parameterRefused(name, error.code, error.message);
  }
}

/**
 * Whether the gateway turns Base64 into bytes for this request: it compares only the first media type of `Accept` with
 * the API's list of binary types. With `*` in that list, programs could send any `Accept`, but all bodies of requests
 * would reach functions as Base64, a third larger, and Lambda takes at most 6 MB.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html
 */
const getsBinary = (event: ApiEvent): boolean => /^\s*image\/png\s*(?:[;,]|$)/i.test(header(event, 'Accept') ?? '');
