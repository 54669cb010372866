/**
 * Opaque identifiers: a prefix, `_`, and 22 characters of [0-9A-Za-z] (131 bits). The edge makes ids and hands them to
 * the rules as arguments, so that the rules stay deterministic (I6).
 */
import { createHmac, hash, type KeyObject, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 22;
const EVENT_KEY_LENGTH = 12;
/**
 * The largest multiple of 62 below 256: bytes at or above it are drawn again, so that every character is equally
 * likely.
 */
const UNBIASED_BELOW = 248;

export type IdPrefix =
  | 'org'
  | 'mov'
  | 'aud'
  | 'dep'
  | 'usr'
  | 'key'
  | 'ws'
  | 'cht'
  | 'imp'
  | 'bim'
  | 'pan'
  | 'evt'
  | 'hld'
  | 'call'
  | 'rel'
  | 'lst'
  | 'exc'
  | 'rsv'
  | 'chn'
  | 'whk'
  | 'dlv'
  | 'occ'
  | 'sea'
  | 'spl'
  | 'spa'
  | 'sam'
  | 'slc'
  | 'ssr'
  | 'sco'
  | 'sro'
  | 'sri'
  | 'shi'
  | 'pg'
  | 'op'
  | 'ses'
  | 'vst'
  | 'lnk'
  | 'ast'
  | 'snp'
  | 'shd'
  | 'cat'
  | 'fdr'
  | 'ntf';

/** A fresh id, for example `hld_4Qe…` (prefix and 22 random characters). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(ID_LENGTH)}`;
}

/** A key for an event created without a slug: `ev_` and 12 random characters of [0-9a-z]. */
export function newEventKey(): string {
  return `ev_${randomText(EVENT_KEY_LENGTH, 36)}`.toLowerCase();
}

/** At most this many random characters are made at once. */
const RANDOM_LENGTH_MAX = 128;
const codes = Buffer.from(ALPHABET, 'latin1');
/** A text is written here letter by letter. A text that grew letter by letter would cost three times as much. */
const letters = Buffer.alloc(RANDOM_LENGTH_MAX);

/** `length` random characters of the first `base` letters of the alphabet; the source of secrets too. */
export function randomText(length: number, base = ALPHABET.length): string {
  if (length > RANDOM_LENGTH_MAX) throw new RangeError(`randomText makes at most ${RANDOM_LENGTH_MAX} characters`);
  const limit = base === ALPHABET.length ? UNBIASED_BELOW : 256 - (256 % base);
  let written = 0;
  while (written < length) {
    const byte = randomByte();
    if (byte < limit) letters[written++] = codes[byte % base]!;
  }
  return letters.toString('latin1', 0, length);
}

/** Random bytes are drawn many at a time: a request for a few costs as much as a request for thousands. */
const POOL_BYTES = 4096;
let pool = randomBytes(0);
let drawn = 0;

function randomByte(): number {
  if (drawn === pool.length) {
    pool = randomBytes(POOL_BYTES);
    drawn = 0;
  }
  return pool[drawn++]!;
}

/**
 * An id that is a function of `parts`: the same parts always give the same id (I5). SHA-256 over the parts joined
 * with NUL, written in base 62.
 */
export function derivedId(prefix: IdPrefix, ...parts: readonly string[]): string {
  return `${prefix}_${textOf(digestOf(parts), ALPHABET.length, ID_LENGTH)}`;
}

const TIME_LENGTH = 8;

/**
 * As `derivedId`, and in the order of `at`, epoch milliseconds before the year 8888: eight digits of base 62 for the
 * time, the highest first, and 14 of the digest. Neighbours in time are neighbours in a store.
 */
export function derivedIdAt(prefix: IdPrefix, at: number, ...parts: readonly string[]): string {
  let time = '';
  for (let left = at; time.length < TIME_LENGTH; left = Math.floor(left / ALPHABET.length)) {
    time = ALPHABET.charAt(left % ALPHABET.length) + time;
  }
  return `${prefix}_${time}${textOf(digestOf(parts), ALPHABET.length, ID_LENGTH - TIME_LENGTH)}`;
}

/**
 * An id that is a function of `parts` and of a secret key (I5): nobody without the key can find it. HMAC-SHA-256 in
 * place of the SHA-256 of `derivedId`.
 */
export function keyedId(prefix: IdPrefix, key: KeyObject, ...parts: readonly string[]): string {
  const digest = createHmac('sha256', key).update(parts.join('\0')).digest('binary');
  return `${prefix}_${textOf(digest, ALPHABET.length, ID_LENGTH)}`;
}

/** A fresh id, or the id that follows from a named call: a repetition of the call finds the thing that it made (I5). */
export function idFor(prefix: IdPrefix, callId: string | undefined): string {
  return callId === undefined ? newId(prefix) : derivedId(prefix, callId);
}

/** The same as `idFor`, for the key of an event without a slug. */
export function eventKeyFor(callId: string | undefined): string {
  if (callId === undefined) return newEventKey();
  return `ev_${textOf(digestOf(['event key', callId]), 36, EVENT_KEY_LENGTH)}`.toLowerCase();
}

/** The bytes of the digest as characters, which cost a third of a buffer. */
function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'binary');
}

/** The lowest `length` digits of the digest, the lowest first. */
function textOf(digest: string, base: number, length: number): string {
  for (let index = 0; index < words.length; index++) {
    words[index] = digest.charCodeAt(2 * index) * 0x1_00 + digest.charCodeAt(2 * index + 1);
  }
  let text = '';
  // Two digits at a time: the remainder still fits 32 bits beside the next word.
  while (text.length < length) {
    const pair = divideWords(base * base);
    text += ALPHABET.charAt(pair % base) + ALPHABET.charAt(Math.trunc(pair / base));
  }
  return text.slice(0, length);
}

/** The number that `divideWords` divides: the 16-bit words of a SHA-256, the highest first. */
const words = new Int32Array(16);

/** Divides the number in place, and returns the remainder. Ten times as fast as BigInt. */
function divideWords(by: number): number {
  let rest = 0;
  for (let index = 0; index < words.length; index++) {
    const part = rest * 0x1_0000 + words[index]!;
    const quotient = (part / by) | 0;
    words[index] = quotient;
    rest = part - quotient * by;
  }
  return rest;
}

/** SHA-256 of a text as base64url, 43 characters: the stored form of tokens, and the names of plans. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url');
}
