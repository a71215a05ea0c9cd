import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

// X.509 certificates for tests of TLS, encoded by hand: https://www.rfc-editor.org/rfc/rfc5280#section-4.1

/** An element of DER: its tag, its length and its contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...contents: readonly Uint8Array[]) => der(0x30, ...contents);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
const extension = (id: string, value: Uint8Array) => sequence(identifier(id), der(0x04, value));
const nameOf = (text: string) => sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(text)))));
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));

/** A certificate in PEM, with its private key. */
export type Certificate = { readonly cert: string; readonly key: string };
type Issuer = { readonly name: string; readonly privateKey: KeyObject };

function certificate(subject: string, host: string | undefined, issuer: Issuer | undefined, until: Date) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const by = issuer ?? { name: subject, privateKey };
  const isAuthority = der(0x01, Buffer.from([0xff]));
  const alternative = host && (isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 127)])),
    ecdsaWithSha256,
    nameOf(by.name),
    sequence(time(new Date('2020-01-01')), time(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternative ? extension('551d11', sequence(alternative)) : extension('551d13', sequence(isAuthority)))),
  );
  const signature = sign('sha256', signed, by.privateKey);
  const bytes = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const cert = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), privateKey };
}

const century = new Date('2099-01-01');

/** A certificate authority, and the certificates that it issues for a name or an IPv4 address. */
export function certificateAuthority() {
  const name = `Test ${Math.random()}`;
  const { cert, privateKey } = certificate(name, undefined, undefined, century);
  return {
    cert,
    issue: (host: string, until = century): Certificate => certificate(host, host, { name, privateKey }, until),
  };
}

/** A certificate that no authority has issued. */
export const selfSigned = (host: string): Certificate => certificate(host, host, undefined, century);
