import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

type Bytes = string | ArrayBuffer | ArrayBufferView;

const native = (data: Bytes) => {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
};

/**
 * Replaces `@smithy/core/checksum` in the bundles: Node's own SHA-256 and HMAC for signing requests (AWS Signature
 * Version 4), instead of the SDK's JavaScript implementation.
 */
export class Sha256 {
  readonly #start: () => Hash | Hmac;
  #hash: Hash | Hmac;

  constructor(secret?: Bytes) {
    this.#start = () => (secret ? createHmac('sha256', native(secret)) : createHash('sha256'));
    this.#hash = this.#start();
  }

  update(data: Bytes): void {
    this.#hash.update(native(data));
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#start();
  }
}
