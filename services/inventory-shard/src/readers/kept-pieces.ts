/**
 * Pieces of reports that are too long for one answer, kept for the callers of the first piece. The pieces of a version
 * are computed together. A busy event has another version by the time a caller asks for the second piece.
 *
 * The pieces of a state and version are kept or dropped together. Past `keptPieceBytesMax` the oldest are dropped (I8).
 */
import type { Answer } from '@parterre/shared/protocol/commands';
import { Encoded } from '@parterre/shared/protocol/wire';
import type { EventRead } from '../rules/reads/event-reads.ts';
import type { ReadState } from '../rules/state/state.ts';
import { keptPieceBytesMax } from './bounds.ts';
import type { Piece } from './reader-messages.ts';

type Pieces = { version: number; bytes: number; answers: Map<number, Answer> };

export class KeptPieces {
  readonly #of = new WeakMap<ReadState, Pieces[]>();
  /** The oldest first. */
  readonly #recent: Pieces[] = [];
  #bytes = 0;

  /** `pieces` are all answers behind the first, each with the unit that it starts from. */
  keep(state: ReadState, version: number, pieces: readonly Piece[]): void {
    if (pieces.length === 0) return;
    const bytes = pieces.reduce((sum, { value }) => sum + value.length, 0);
    const answers = new Map(
      pieces.map(({ from, value }) => [from, { kind: 'ok', value: new Encoded(value) } as const]),
    );
    const kept: Pieces = { version, bytes, answers };
    const ofState = (this.#of.get(state) ?? []).filter((each) => each.answers.size > 0 && each.version !== version);
    this.#of.set(state, [...ofState, kept]);
    this.#recent.push(kept);
    this.#bytes += bytes;
    while (this.#bytes > keptPieceBytesMax) this.#dropOldest();
  }

  find(state: ReadState, read: EventRead): Answer | undefined {
    if (read.type !== 'unit-columns' || read.version === undefined || read.most !== undefined) return undefined;
    const pieces = this.#of.get(state)?.find(({ version, answers }) => version === read.version && answers.size > 0);
    return pieces?.answers.get(read.from);
  }

  #dropOldest(): void {
    const oldest = this.#recent.shift()!;
    this.#bytes -= oldest.bytes;
    oldest.answers.clear();
  }
}
