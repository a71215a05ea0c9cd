/**
 * ISO 3166-1 alpha-2 (https://www.iso.org/obp/ui/#search, 249 codes), and XK, which CDNs and data sets use for Kosovo.
 */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

export const countryCodes: readonly string[] = codes.split(' ');

/**
 * A country's code in upper case; undefined if the text isn't one, such as `XX` and `T1`, which CDNs send for others.
 */
export function parseCountry(text: string): string | undefined {
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '';
  return code !== '' && codes.includes(code) ? code : undefined;
}

/** The headers in which a content delivery network in front of the redirect describes the visitor. */
export type Cdn = {
  /** The header with the visitor's country, ISO 3166-1 alpha-2, such as `CloudFront-Viewer-Country`. */
  readonly countryHeader: string;
  /** The header with the visitor's address, with or without a port, such as `CloudFront-Viewer-Address`. */
  readonly addressHeader: string;
  /** The header in which the network sends a secret. Without the secret, the other headers are ignored. */
  readonly secretHeader: string;
  /** The SHA-256 of the secret in hex. Several during a rotation. */
  readonly secretSha256: readonly string[];
};
