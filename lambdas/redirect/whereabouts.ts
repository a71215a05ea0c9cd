import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAddress } from '../core/host/ip-address.ts';
import { type Cdn, parseCountry } from '../core/visitor/country.ts';
import { type CountryTable, countryIn } from '../core/visitor/country-table.ts';
import { optionalSetting, setting } from '../runtime/settings.ts';

/** A visitor's address and country, as far as the stage's setting `countryFrom` provides them. */
export type Whereabouts = {
  /** The address that the gateway saw, or the CDN if the stage trusts one. Other forwarding headers can be forged. */
  readonly sourceIp: string;
  /** The country that the CDN names. */
  readonly cdnCountry: string | undefined;
};

type Headers = Readonly<Record<string, string | undefined>>;

/** The setting as the stack writes it: `off` is left out, and a data set is the table beside the bundle. */
type CountryFrom = 'table' | Cdn;

const countryFrom = (): CountryFrom | undefined => {
  const text = optionalSetting('COUNTRY_FROM');
  return text === undefined ? undefined : (JSON.parse(text) as CountryFrom);
};

/**
 * Reads a visitor's address and country.
 *
 * @param gatewayIp the address from which the gateway received the request, which is the CDN's if there is one.
 * @param headers their names in lower case.
 */
export function readWhereabouts(gatewayIp: string, headers: Headers): Whereabouts {
  const from = countryFrom();
  const cdn = typeof from === 'object' && isFrom(from, headers) ? from : undefined;
  const address = cdn && cdnAddress(headers[cdn.addressHeader] ?? '');
  return {
    sourceIp: address ?? gatewayIp,
    cdnCountry: cdn && parseCountry(headers[cdn.countryHeader] ?? ''),
  };
}

/** Whether the CDN sent the request, rather than somebody who found the gateway's own name. */
function isFrom({ secretHeader, secretSha256 }: Cdn, headers: Headers): boolean {
  const secret = headers[secretHeader];
  if (secret === undefined) return false;
  const hash = createHash('sha256').update(secret).digest();
  return secretSha256.some((known) => timingSafeEqual(Buffer.from(known, 'hex'), hash));
}

/**
 * An address that may be followed by a port, as CloudFront sends it:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
 */
const cdnAddress = (text: string): string | undefined =>
  parseAddress(text) ?? parseAddress(text.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1'));

let table: CountryTable | undefined;

/** The visitor's country, ISO 3166-1 alpha-2; undefined if it is unknown. The first call may read the table. */
export function countryOf({ sourceIp, cdnCountry }: Whereabouts): string | undefined {
  if (countryFrom() !== 'table') return cdnCountry;
  const address = parseAddress(sourceIp);
  if (address === undefined) return undefined;
  table ??= readFileSync(join(setting('LAMBDA_TASK_ROOT'), 'countries.bin'));
  return countryIn(table, address);
}
