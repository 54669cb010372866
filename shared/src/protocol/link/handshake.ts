/**
 * The opening of a direct link: each side proves that it knows the deployment secret, and sends nothing secret. A proof
 * is an HMAC-SHA-256 (RFC 2104) over the nonces of both sides, so it is of no use on another link.
 *
 * While an operator changes the secret, a side may know two. The front door sends a proof by each of its keys: `mac` by
 * the newest, `others` by the rest. The shard takes the proof that one of its keys confirms, and welcomes by that key.
 * A shard from before `others` reads `mac` alone.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Raise this when a frame (frames.ts), a shape (shapes.ts) or the form of the messages in frames changes. A link of two
 * versions is refused, and NATS carries the commands. Version 1 had sales as fields by position, version 2 named every
 * field.
 */
export const linkVersion = 3;
const nonceBytes = 16;

/** The newest key comes first. */
export type LinkKeys = readonly [KeyObject, ...KeyObject[]];

export type Challenge = { v: number; nonce: Uint8Array };
export type Proof = { v: number; nonce: Uint8Array; frontDoor: string; mac: Uint8Array; others?: Uint8Array[] };
export type Welcome = { mac: Uint8Array };

export function challenge(): Challenge {
  return { v: linkVersion, nonce: randomBytes(nonceBytes) };
}

export function prove([key, ...more]: LinkKeys, asked: Challenge, frontDoor: string): Proof {
  const nonce = randomBytes(nonceBytes);
  const by = (each: KeyObject) => macOf(each, 'front door', asked.nonce, nonce, frontDoor);
  return { v: linkVersion, nonce, frontDoor, mac: by(key), ...(more.length > 0 && { others: more.map(by) }) };
}

/** The key that the front door knows too; null for a stranger, and for another version. */
export function provenKey(keys: LinkKeys, asked: Challenge, proof: Proof): KeyObject | null {
  const { v, nonce, frontDoor, mac, others } = proof;
  if (v !== linkVersion || nonce.length !== nonceBytes) return null;
  const macs = Array.isArray(others) ? [mac, ...others] : [mac];
  const isKnown = (key: KeyObject): boolean => {
    const expected = macOf(key, 'front door', asked.nonce, nonce, frontDoor);
    return macs.some((each) => isEqual(each, expected));
  };
  return keys.find(isKnown) ?? null;
}

export function welcome(key: KeyObject, asked: Challenge, proof: Proof): Welcome {
  return { mac: macOf(key, 'shard', asked.nonce, proof.nonce, proof.frontDoor) };
}

export function isWelcome(keys: LinkKeys, asked: Challenge, proof: Proof, { mac }: Welcome): boolean {
  return keys.some((key) => isEqual(mac, welcome(key, asked, proof).mac));
}

/** Nonces have one length, so no two sequences of parts give the same bytes. */
function macOf(key: KeyObject, side: string, shard: Uint8Array, frontDoor: Uint8Array, name: string): Uint8Array {
  return createHmac('sha256', key).update(shard).update(frontDoor).update(`${side} ${name}`).digest();
}

function isEqual(mac: Uint8Array, expected: Uint8Array): boolean {
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}
