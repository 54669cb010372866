/**
 * The headers by which a receiver verifies a webhook: Standard Webhooks over `id.timestamp.body`, one signature for
 * each live secret, and one signature over the body alone for simpler receivers.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { SigningSecret } from '@parterre/shared/protocol/catalog/webhooks';

const secretPrefix = 'whsec_';

export type Signed = { id: string; atMs: number; body: string };

/** The secrets that sign now, the newest first. A replaced secret signs until its time is over. */
export function liveSecrets(secrets: readonly SigningSecret[], now: number): SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

type Keys = { standard: KeyObject; bodyOnly: KeyObject };
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
  const made = { standard: createSecretKey(encoded, 'base64'), bodyOnly: createSecretKey(secret, 'utf8') };
  keys.set(signing, made);
  return made;
}

function hmac(key: KeyObject, content: string, encoding: 'base64' | 'hex'): string {
  return createHmac('sha256', key).update(content, 'utf8').digest(encoding);
}
