/**
 * The origin that may frame the designer. It stands in the page's address with a seal, because the server never sees
 * the token in the fragment. Only a deployment's own front doors can make a seal, so no page can name itself. A seal is
 * no secret, and stays valid: the page that it opens is empty, and shows a chart only for a session's token.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { AcceptedKeys } from '@parterre/shared/runtime/deployment-secret';

const SEAL_LENGTH = 22;

/** The query of the address for a page of this origin. */
export function framerQuery([key]: AcceptedKeys, origin: string): string {
  return new URLSearchParams({ parent: origin, seal: sealOf(key, origin) }).toString();
}

/** The origin that the query names; null without a valid seal. */
export function framerOf(keys: AcceptedKeys, query: URLSearchParams): string | null {
  const origin = query.get('parent') ?? '';
  const seal = query.get('seal') ?? '';
  if (Buffer.byteLength(seal) !== SEAL_LENGTH) return null;
  const isSeal = (key: KeyObject) => timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(key, origin)));
  return keys.some(isSeal) ? origin : null;
}

function sealOf(key: KeyObject, origin: string): string {
  return createHmac('sha256', key).update(origin).digest('base64url').slice(0, SEAL_LENGTH);
}
