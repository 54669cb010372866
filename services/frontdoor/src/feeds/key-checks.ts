/**
 * Checks whether the keys and sessions of viewers are still valid. A key is looked up when its change is announced, and
 * when a viewer comes in with the key. All keys are looked up regularly, and after a loss of the link to NATS, because
 * an announcement may be lost.
 *
 * States of a round through all keys: none → under way → none, or one more round at once if a round was asked for
 * meanwhile. If a lookup fails, the key counts as valid, and the next round asks again.
 */
import type { Clock } from '@parterre/shared/clock';
import { keyChecksAtOnce } from '@parterre/shared/limits';
import { createTurns } from '@parterre/shared/turns';
import type { Viewers } from './viewers.ts';

export type KeyChecksPorts = { clock: Clock; stands(keyHash: string): Promise<boolean> };

export class KeyChecks {
  private readonly turns = createTurns(keyChecksAtOnce);
  private isUnderWay = false;
  private isDue = false;

  constructor(
    private readonly viewers: Viewers,
    private readonly ports: KeyChecksPorts,
  ) {}

  /** Closes the viewers of this key if it is no longer valid. */
  async one(keyHash: string): Promise<void> {
    if (!this.viewers.hasKey(keyHash)) return;
    if (await this.ports.stands(keyHash)) return;
    this.viewers.closeKey(keyHash, this.ports.clock.now());
  }

  async all(): Promise<void> {
    this.isDue = true;
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      while (this.isDue) {
        this.isDue = false;
        await Promise.all([...this.viewers.keys()].map((keyHash) => this.turns(() => this.one(keyHash))));
      }
    } finally {
      this.isUnderWay = false;
    }
  }
}
