/** The name of a list of texts: the SHA-256 of its JSON, as hex. Pure. */
import { sha256 } from '@parterre/shared/protocol/ids';

export function listSha256(texts: readonly string[]): string {
  return hexOf(sha256(JSON.stringify(texts)));
}

export function hexOf(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('hex');
}
