/**
 * Passwords as they are kept: `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, so that the cost can be raised without losing any. The
 * work runs on the thread pool, `passwordsAtOnceMax` at once; who waits for it is bounded too (I8).
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { type Outcome, refuse } from '@parterre/shared/errors';
import { createTurns } from '@parterre/shared/turns';
import { passwordsAtOnceMax, passwordsWaitingMax } from './rules/bounds.ts';

/** Runs what works on a password when its turn has come, or refuses at once with `overloaded`. */
export type PasswordTurns = <T>(run: () => Promise<Outcome<T>>) => Promise<Outcome<T>>;

export function createPasswordTurns(): PasswordTurns {
  const turns = createTurns(passwordsAtOnceMax);
  let here = 0;
  return async (run) => {
    if (here >= passwordsAtOnceMax + passwordsWaitingMax) {
      return refuse('overloaded', 'Too many are logging in at once. Try again.', { retryable: true });
    }
    here++;
    try {
      return await turns(run);
    } finally {
      here--;
    }
  };
}

/** One of the settings that OWASP's password storage cheat sheet gives for scrypt: 32 MiB, three passes. */
const COST = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export async function keptPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(salt, await derive(password, salt, COST));
}

/** Takes as long where nothing is kept, so that time does not tell whether there is such a user. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const { cost, salt, hash } = decode(kept ?? noPassword);
  const same = timingSafeEqual(await derive(password, salt, cost), hash);
  return same && kept !== null;
}

type Cost = typeof COST;

/** Equal texts may be typed as different code points, which depends on the keyboard: NFKC makes them one. */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** logN;
  // What it needs is 128·N·r bytes and a little; the library refuses above 32 MiB unless told otherwise.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encode(salt: Buffer, hash: Buffer): string {
  const { logN, r, p } = COST;
  return ['scrypt', logN, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function decode(kept: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt, hash] = kept.split('$');
  const bytes = (text: string | undefined) => Buffer.from(text!, 'base64url');
  return { cost: { logN: Number(logN), r: Number(r), p: Number(p) }, salt: bytes(salt), hash: bytes(hash) };
}

const noPassword = encode(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
