/** What the history keeps of a delivery's body. */
import { deliveryBodyBytesMax } from '@parterre/shared/webhook-limits';

/**
 * The body, or where it is too long its envelope: what stands before its `data`, which every body of ours ends with. No text in
 * JSON has an unescaped quote, so that what looks like the key is the key.
 */
export function historyBody(body: string): { body: string } | { body: null; envelope: string | null } {
  if (Buffer.byteLength(body) <= deliveryBodyBytesMax) return { body };
  const end = body.indexOf(',"data":');
  return { body: null, envelope: end < 0 ? null : `${body.slice(0, end)},"truncated":true}` };
}
