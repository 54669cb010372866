/**
 * Checks whether the keys and sessions of viewers are still valid. A key is looked up when its change is announced, and
 * when a viewer comes in with the key. All keys are looked up regularly, and after a loss of the link to NATS, because
 * an announcement may be lost. A key is looked up once, however many viewers came with it.
 *
 * States of a round through all keys: none → under way → none, or one more round at once if a round was asked for
 * meanwhile. A regular round spreads its lookups over ROUND_MS. A round after a loss hurries, and so does a regular
 * round that is under way then. Either round lets the loop turn after `keyChecksAtOnce` lookups.
 *
 * Failure at each await: if a lookup gets no answer, the key counts as valid, and the next round asks again. If a
 * lookup throws, the round ends with the exception. The pauses do not fail.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import { keyChecksAtOnce } from '../feed-limits.ts';
import type { Viewers } from './viewers.ts';

export type KeyChecksPorts = { clock: Clock; stands(keyHash: string): Promise<boolean> };

/** Regular rounds begin ten seconds apart (feeds.ts). */
const ROUND_MS = 8_000;

export class KeyChecks {
  private isUnderWay = false;
  private isDue = false;
  private isHurried = false;

  constructor(
    private readonly viewers: Viewers,
    private readonly ports: KeyChecksPorts,
  ) {}

  /** Closes the viewers of this key if it is no longer valid. */
  async one(keyHash: string): Promise<void> {
    if (!this.viewers.hasKey(keyHash)) return;
    if (await this.ports.stands(keyHash)) return;
    while (this.viewers.closeKey(keyHash, this.ports.clock.now())) await nextTurn();
  }

  /** `hurry` checks all keys as soon as possible. */
  async all(hurry: boolean): Promise<void> {
    this.isDue = true;
    this.isHurried ||= hurry;
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      while (this.isDue) {
        this.isDue = false;
        await this.round();
        await nextTurn();
      }
    } finally {
      this.isUnderWay = false;
      this.isHurried = false;
    }
  }

  private async round(): Promise<void> {
    const startedAt = this.ports.clock.elapsed();
    const all = this.viewers.keyCount();
    const keys = this.viewers.keys();
    let checked = 0;
    for (let some = first(keyChecksAtOnce, keys); some.length > 0; some = first(keyChecksAtOnce, keys)) {
      await Promise.all(some.map((keyHash) => this.one(keyHash)));
      checked += some.length;
      if (checked < all) await this.breathe(startedAt + (ROUND_MS * checked) / all);
    }
  }

  private async breathe(nextAt: number): Promise<void> {
    const { clock } = this.ports;
    const early = nextAt - clock.elapsed();
    if (early > 0 && !this.isHurried) await pause(clock, early);
    else await nextTurn();
  }
}

function first(count: number, keys: Iterator<string>): string[] {
  const taken: string[] = [];
  while (taken.length < count) {
    const { done, value } = keys.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
