/** The part of a delivery's body that the history stores. */
import { deliveryBodyBytesMax } from '@parterre/shared/protocol/webhook-limits';

/**
 * The body. A body that is too long is cut to its envelope: the part before `data`, which is the last field of every
 * body. JSON texts have no unescaped quote, so the search finds the key and no text.
 */
export function historyBody(body: string): { body: string } | { body: null; envelope: string | null } {
  if (Buffer.byteLength(body) <= deliveryBodyBytesMax) return { body };
  const end = body.indexOf(',"data":');
  return { body: null, envelope: end < 0 ? null : `${body.slice(0, end)},"truncated":true}` };
}
