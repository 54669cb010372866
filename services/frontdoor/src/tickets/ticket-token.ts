/**
 * The text of a ticket: an HMAC-SHA-256 of the rest, and the access as JSON, both in base64url. All characters may
 * stand in a WebSocket subprotocol. A ticket is signed, not encrypted: it carries no credential, only
 * hashes of them.
 *
 * The length is bounded, because a subprotocol stands in the request's head, which the server library bounds at 4 KiB.
 * So a ticket names the session in place of the session's channels, and the hash of an origin in place of the origin.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sha256 } from '@parterre/shared/protocol/ids';

/**
 * `keyHash` names the key or session that the ticket was issued to. The access of this key or session ends at
 * `accessEndsAt`; null means that it has no end. `origin` is the mark of the page that asked for the ticket. `sees`
 * names the audience: `reach` is the reach of the session.
 */
export type TicketAccess = {
  eventKey: string;
  sees: 'public' | 'reach' | `${'console' | 'channelless-console'}${'' | '-with-money'}`;
  keyHash: string;
  accessEndsAt: number | null;
  origin: string;
};

type Signed = { id: string; expiresAt: number; access: TicketAccess };

const FORM = /^([\w-]{43})([\w-]{1,900})$/;
/** A front door refuses a ticket of another version. Its viewer comes back with a new ticket. */
const VERSION = 1;

type Content = [
  version: number,
  id: string,
  expiresAt: number,
  eventKey: string,
  sees: TicketAccess['sees'],
  keyHash: string,
  accessEndsAt: number | null,
  origin: string,
];

/** The mark of an origin in a ticket; empty for a caller without a page. */
export function originMark(origin: string): string {
  return origin === '' ? '' : sha256(origin);
}

export function writeToken(key: KeyObject, { id, expiresAt, access }: Signed): string {
  const { eventKey, sees, keyHash, accessEndsAt, origin } = access;
  const content: Content = [VERSION, id, expiresAt, eventKey, sees, keyHash, accessEndsAt, origin];
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return signatureOf(key, text).toString('base64url') + text;
}

/** Null for a text that this deployment has not signed. */
export function readToken(keys: readonly KeyObject[], token: string): Signed | null {
  const [, signature, text] = FORM.exec(token) ?? [];
  if (text === undefined || signature === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  if (!keys.some((key) => timingSafeEqual(signatureOf(key, text), given))) return null;
  const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as Content;
  if (content[0] !== VERSION) return null;
  const [, id, expiresAt, eventKey, sees, keyHash, accessEndsAt, origin] = content;
  return { id, expiresAt, access: { eventKey, sees, keyHash, accessEndsAt, origin } };
}

function signatureOf(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
