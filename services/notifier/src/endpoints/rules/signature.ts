/**
 * The headers by which a receiver verifies a webhook: Standard Webhooks over `id.timestamp.body`, one signature for
 * each live secret, and one signature over the body alone for simpler receivers.
 */
import { createHmac, hash } from 'node:crypto';
import type { SigningSecret } from '@parterre/shared/protocol/catalog/webhooks';

const secretPrefix = 'whsec_';

export type Signed = { id: string; atMs: number; body: string };

/** The secrets that sign now, the newest first. A replaced secret signs until its time is over. */
export function liveSecrets(secrets: readonly SigningSecret[], now: number): SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

/** A key of HMAC-SHA-256, with the two blocks that RFC 2104 makes of it. */
type SigningKey = { secret: Buffer; inner: Uint8Array; outer: Buffer };
type Keys = { standard: SigningKey; bodyOnly: SigningKey };
/** Making a key costs as much as signing with it. */
const keys = new WeakMap<SigningSecret, Keys>();

/**
 * `secrets` are the live ones, the newest first, never empty. The key of the Standard Webhooks signatures is the
 * decoded part after `whsec_`. The key of the body's signature is the newest secret as it is written.
 */
export function signatureHeaders(message: Signed, secrets: readonly SigningSecret[]): Record<string, string> {
  const timestamp = String(Math.floor(message.atMs / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => `v1,${hmac(keysOf(secret).standard, content, 'base64')}`);
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'X-Parterre-Signature': `sha256=${hmac(keysOf(secrets[0]!).bodyOnly, message.body, 'hex')}`,
  };
}

function keysOf(signing: SigningSecret): Keys {
  const known = keys.get(signing);
  if (known) return known;
  const { secret } = signing;
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const made = {
    standard: signingKey(Buffer.from(encoded, 'base64')),
    bodyOnly: signingKey(Buffer.from(secret, 'utf8')),
  };
  keys.set(signing, made);
  return made;
}

const blockBytes = 64;
const digestBytes = 32;
/** A longer content is rare, and its hash takes longer than all else. */
const contentLengthMax = 16_384;
/** The inner block and the content. No character takes more than three bytes. */
const message = Buffer.alloc(blockBytes + 3 * contentLengthMax);

function signingKey(secret: Buffer): SigningKey {
  const block = Buffer.alloc(blockBytes);
  block.set(secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret);
  const outer = Buffer.alloc(blockBytes + digestBytes);
  outer.set(block.map((byte) => byte ^ 0x5c));
  return { secret, inner: block.map((byte) => byte ^ 0x36), outer };
}

/** Two hashes in one call each: a Hmac object costs half as much again. */
function hmac({ secret, inner, outer }: SigningKey, content: string, encoding: 'base64' | 'hex'): string {
  if (content.length > contentLengthMax) return createHmac('sha256', secret).update(content, 'utf8').digest(encoding);
  message.set(inner);
  const length = blockBytes + message.write(content, blockBytes, 'utf8');
  outer.write(hash('sha256', message.subarray(0, length), 'binary'), blockBytes, 'latin1');
  return hash('sha256', outer, encoding);
}
