/**
 * How full a disk is, or the storage that NATS may use. A look tells the share that is used, and the log warns when 80
 * and 90 % are reached, before anything fails.
 *
 * States: ok → filling (`diskFillingShare`) → low (`diskLowShare`) → full (less than `diskBytesMin` is free), and back.
 * The log tells each way up, and the way back to ok. The one await is the look: an error or no answer → the last look
 * counts no more, and the disk counts as ok. The look warns beforehand, and decides nothing.
 */
import type { DiskState } from '../protocol/beat.ts';
import { diskBytesMin, diskFillingShare, diskLookMs, diskLowShare } from '../protocol/limits.ts';
import type { Clock } from './clock.ts';
import { diskOf } from './disk.ts';
import type { Logger } from './log.ts';

export type Disk = { usedShare: number; bytesFree: number };

/** From the emptiest to the fullest. */
const fullness: readonly DiskState[] = ['ok', 'filling', 'low', 'full'];

export class DiskWatch {
  readonly #ports: { clock: Clock; log: Logger };
  readonly #what: string;
  readonly #measure: () => Promise<Disk | null>;
  #told: DiskState = 'ok';
  #cancel = (): void => {};
  /** Null until the first look, and where nothing can be measured. */
  disk: Disk | null = null;

  /** `what` is the subject of the log lines. `measure` gives null where there is no bound. */
  constructor(ports: { clock: Clock; log: Logger }, what: string, measure: () => Promise<Disk | null>) {
    this.#ports = ports;
    this.#what = what;
    this.#measure = measure;
  }

  get state(): DiskState {
    return stateOf(this.disk);
  }

  start(): this {
    void this.look();
    return this;
  }

  stop(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  async look(): Promise<void> {
    const { clock, log } = this.#ports;
    this.#cancel();
    this.#cancel = clock.after(diskLookMs, () => void this.look());
    this.disk = await this.#measure().catch(() => null);
    const { state } = this;
    if (state === this.#told) return;
    const usedPercent = Math.round((this.disk?.usedShare ?? 0) * 100);
    const facts = { bytesFree: this.disk?.bytesFree ?? null };
    if (fullerOf(state, this.#told) === this.#told) {
      if (state === 'ok') log.info(facts, `${this.#what} has room again`);
    } else if (state === 'full')
      log.error(facts, `${this.#what} is full: nothing is sold and nothing is changed there`);
    else log.warn(facts, `${this.#what} is ${usedPercent} % full`);
    this.#told = state;
  }
}

export function fullerOf(one: DiskState, other: DiskState): DiskState {
  return fullness.indexOf(one) > fullness.indexOf(other) ? one : other;
}

function stateOf(disk: Disk | null): DiskState {
  if (disk === null) return 'ok';
  if (disk.bytesFree < diskBytesMin) return 'full';
  if (disk.usedShare >= diskLowShare) return 'low';
  return disk.usedShare >= diskFillingShare ? 'filling' : 'ok';
}

/** The disk of a folder. */
export async function roomOnDisk(folder: string): Promise<Disk> {
  const { bytesFree, bytes } = await diskOf(folder);
  return { usedShare: 1 - bytesFree / Math.max(1, bytes), bytesFree };
}
