/**
 * The links of histories (I9). A link is a hash that names everything before it, so two histories with one link are one
 * history. Two chains exist:
 *
 * - A stream's: message s carries the link of message s − 1. The first message of a stream carries the hash of the
 *   stream's identity. The link of a message is the hash of its bytes, and these hold the link before it.
 * - An event's: a part carries the link of the event's part before it. The first part carries the hash of the event's
 *   key. An anchor repeats the link of the event's last part, and has none of its own.
 *
 * The subject of a message is not hashed: it follows from the message's parts, and readers refuse another.
 */
import { hash } from 'node:crypto';

/** A link: the first 16 bytes of a SHA-256. */
export type Link = Uint8Array;

export const linkBytes = 16;

/** The link of a message or of a part, from its bytes; the first link of a stream or of an event, from its name. */
export function linkOf(content: Uint8Array | string): Link {
  // In one call and as Latin-1: a Hash object costs twice as much.
  return Buffer.from(hash('sha256', content, 'binary').slice(0, linkBytes), 'latin1');
}

export function isSameLink(a: Link, b: Link): boolean {
  return Buffer.compare(a, b) === 0;
}

/** A link as it stands in metadata and in messages for people: base64url, 22 characters. */
export function textOfLink(link: Link): string {
  return Buffer.from(link.buffer, link.byteOffset, link.length).toString('base64url');
}

/** Null for a text that is no link. */
export function linkFromText(text: string): Link | null {
  const link = Buffer.from(text, 'base64url');
  return link.length === linkBytes ? link : null;
}
