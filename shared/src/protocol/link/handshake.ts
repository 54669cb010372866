/**
 * The opening of a direct link: each side proves that it knows the deployment secret, and sends nothing secret. A proof
 * is an HMAC-SHA-256 (RFC 2104) over the nonces of both sides, so it is of no use on another link.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Raise this when a frame (frames.ts), a shape (shapes.ts) or the form of the messages in frames changes. A link of two
 * versions is refused, and NATS carries the commands. Version 1 had sales as fields by position, version 2 named every
 * field.
 */
export const linkVersion = 3;
const nonceBytes = 16;

export type Challenge = { v: number; nonce: Uint8Array };
export type Proof = { v: number; nonce: Uint8Array; frontDoor: string; mac: Uint8Array };
export type Welcome = { mac: Uint8Array };

export function challenge(): Challenge {
  return { v: linkVersion, nonce: randomBytes(nonceBytes) };
}

export function prove(key: KeyObject, asked: Challenge, frontDoor: string): Proof {
  const nonce = randomBytes(nonceBytes);
  const mac = macOf(key, 'front door', asked.nonce, nonce, frontDoor);
  return { v: linkVersion, nonce, frontDoor, mac };
}

export function isProven(key: KeyObject, asked: Challenge, { v, nonce, frontDoor, mac }: Proof): boolean {
  return (
    v === linkVersion &&
    nonce.length === nonceBytes &&
    isEqual(mac, macOf(key, 'front door', asked.nonce, nonce, frontDoor))
  );
}

export function welcome(key: KeyObject, asked: Challenge, proof: Proof): Welcome {
  return { mac: macOf(key, 'shard', asked.nonce, proof.nonce, proof.frontDoor) };
}

export function isWelcome(key: KeyObject, asked: Challenge, proof: Proof, { mac }: Welcome): boolean {
  return isEqual(mac, welcome(key, asked, proof).mac);
}

/** Nonces have one length, so no two sequences of parts give the same bytes. */
function macOf(key: KeyObject, side: string, shard: Uint8Array, frontDoor: Uint8Array, name: string): Uint8Array {
  return createHmac('sha256', key).update(shard).update(frontDoor).update(`${side} ${name}`).digest();
}

function isEqual(mac: Uint8Array, expected: Uint8Array): boolean {
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}
