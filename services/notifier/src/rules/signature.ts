/**
 * The headers a receiver verifies a webhook by (wire contract 9): Standard Webhooks over `id.timestamp.body`, one
 * signature per live secret, and one over the body alone for receivers that know no more.
 */
import { createHmac } from 'node:crypto';
import type { SigningSecret } from '@parterre/shared/catalog/webhooks';

const secretPrefix = 'whsec_';

export type Signed = { id: string; atMs: number; body: string };

/** Those that sign now, the newest first: one that was replaced does for a while. */
export function liveSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  return secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret);
}

/**
 * `secrets` are the live ones, the newest first, never empty. The Standard Webhooks signatures are keyed with the
 * decoded part after `whsec_`; the body's signature with the bytes of the newest secret as it is written.
 */
export function signatureHeaders(message: Signed, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(message.atMs / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => `v1,${hmac(keyOf(secret), content).toString('base64')}`);
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'X-Parterre-Signature': `sha256=${hmac(Buffer.from(secrets[0]!, 'utf8'), message.body).toString('hex')}`,
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
}

function hmac(key: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content, 'utf8').digest();
}
