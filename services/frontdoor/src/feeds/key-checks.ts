/**
 * Whether the keys and sessions that viewers came with still stand. Each is looked up when its change is announced and when a viewer
 * comes in with it; all of them regularly and after a loss of the link, since an announcement may be lost.
 *
 * States of the round through all: none → under way → none, or once more, where another was asked for meanwhile. Failure of looking one
 * up: unknown counts as standing, and the next round asks again.
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

  /** If it does not stand any more, its viewers are sent away. */
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
