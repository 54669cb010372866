/** A hash of short texts for tables in memory: never stored, never sent. */
import { randomInt } from 'node:crypto';

/**
 * Every thread of every process has another seed, so nobody can choose texts that all fall on one place of a table. A
 * table that moves to another thread takes its seed along.
 */
export const threadSeed = randomInt(2 ** 32) | 0;

/** 32 bits. Each character is mixed in, and the bits are spread at the end as MurmurHash3 does. */
export function hashText(text: string, seed = threadSeed): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}
