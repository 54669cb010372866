/**
 * Stored passwords: `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, so that the cost can be raised while older passwords stay
 * valid. The work runs on the thread pool, a few jobs at once (password-limiter.ts).
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createPasswordLimiter, type PasswordLimiter } from './password-limiter.ts';

export type Passwords = {
  inTurn: PasswordLimiter;
  /** A new password in its stored form. */
  kept(password: string): Promise<string>;
  /** Takes the same time where no password is stored. So the time does not tell whether the user exists. */
  isRight(password: string, kept: string | null): Promise<boolean>;
};

/** 15 is one of the settings in OWASP's password storage cheat sheet for scrypt: 32 MiB, three passes. */
export const passwordLogN = { usual: 15, min: 10, max: 20 };
const R = 8;
const P = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** `logN` is the cost of new passwords. Each stored password has its own cost. */
export function createPasswords(logN: number, clock: Pick<Clock, 'elapsed'>): Passwords {
  const cost = { logN, r: R, p: P };
  const noPassword = encode(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    inTurn: createPasswordLimiter(clock),
    async kept(password) {
      const salt = randomBytes(SALT_BYTES);
      return encode(cost, salt, await derive(password, salt, cost));
    },
    async isRight(password, kept) {
      const known = decode(kept ?? noPassword);
      const same = timingSafeEqual(await derive(password, known.salt, known.cost), known.hash);
      return same && kept !== null;
    },
  };
}

type Cost = { logN: number; r: number; p: number };

/** Keyboards may write the same text with different code points: NFKC makes them equal. */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** logN;
  // scrypt needs 128·N·r bytes and a little more. The library refuses above 32 MiB without this option.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encode({ logN, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', logN, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function decode(kept: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt, hash] = kept.split('$');
  const bytes = (text: string | undefined) => Buffer.from(text!, 'base64url');
  return { cost: { logN: Number(logN), r: Number(r), p: Number(p) }, salt: bytes(salt), hash: bytes(hash) };
}
