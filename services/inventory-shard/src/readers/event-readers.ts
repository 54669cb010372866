/**
 * The readers of a process: they share answers among callers and hand large reads to the reader thread.
 *
 * An answer is computed once for each (event, version, read). The answers of the last `keptVersionsMax` versions serve
 * further callers, and the pieces of a long report its callers (kept-pieces.ts). A state has one content at each
 * version, and an event that is loaded anew has a new state, so a state and its version name the content.
 *
 * States of a read: kept → answered at once. Not kept → computed on the loop if the event is small, otherwise captured
 * and sent to the thread → answered by the thread's message. Past `capturesMax` captures: refused with `overloaded`.
 *
 * Failures: a read with a bug is answered with `internal_error`, and nothing else is touched, since a read only reads.
 * A thread that dies loses the captures under way. Their callers are answered `moved` and ask again.
 */
import type { Answer } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { Encoded } from '@parterre/shared/protocol/wire';
import type { Logger } from '@parterre/shared/runtime/log';
import { answerRead, type EventRead, isLargeRead, keyOfRead, type LargeRead } from '../rules/reads/event-reads.ts';
import type { ReadState } from '../rules/state/state.ts';
import { inlineUnitsMax, keptAnswersMax, keptVersionsMax } from './bounds.ts';
import { KeptPieces } from './kept-pieces.ts';
import type { Computed } from './reader-messages.ts';
import type { ReaderThread } from './reader-thread.ts';

/** Called once for each read, at once or later. */
export type OnAnswer = (read: EventRead, answer: Answer) => void;

type AnswersOfVersion = { version: number; answers: Map<string, Answer> };

const { refusal: overloaded } = refuse('overloaded', 'Too many reports are being made. Try again.', {
  retryable: true,
});
const { refusal: readFailed } = refuse(
  'internal_error',
  'The server has a fault. The fault is in the log of the inventory shard.',
);

export class Readers {
  readonly #log: Logger;
  /** Null: every read is computed on the loop. */
  readonly #thread: ReaderThread | null;
  readonly #pieces = new KeptPieces();
  readonly #inlineMax: number;
  readonly #keptOf = new WeakMap<ReadState, AnswersOfVersion>();
  /** The oldest first. */
  readonly #recent: AnswersOfVersion[] = [];
  /** Answers computed since the start. */
  computed = 0;

  /** `inlineMax`: the read of an event with at most this many units is computed on the loop. */
  constructor(log: Logger, thread: ReaderThread | null, inlineMax = inlineUnitsMax) {
    this.#log = log;
    this.#thread = thread;
    this.#inlineMax = inlineMax;
  }

  /** Reads the state as it is now. The state must stand between two groups, so that its version names its content. */
  read(state: ReadState, reads: readonly EventRead[], onAnswer: OnAnswer): void {
    const kept = this.#keep(state);
    const thread = state.plan.unitCount > this.#inlineMax ? this.#thread : null;
    const large: LargeRead[] = [];
    for (const read of reads) {
      const known = this.#pieces.find(state, read) ?? kept.answers.get(keyOfRead(read));
      if (known) onAnswer(read, known);
      else if (thread && isLargeRead(read)) large.push(read);
      else
        onAnswer(
          read,
          this.#note(kept, read, () => answerRead(state, read)),
        );
    }
    if (thread && large.length > 0) this.#send(thread, kept, state, large, onAnswer);
  }

  #send(thread: ReaderThread, kept: AnswersOfVersion, state: ReadState, reads: LargeRead[], onAnswer: OnAnswer): void {
    const isTaken = thread.read(state, reads, (read, outcome) => {
      if (outcome.kind === 'ok') this.#pieces.keep(state, kept.version, outcome.rest);
      if (outcome.kind === 'lost') onAnswer(read, { kind: 'moved' });
      else
        onAnswer(
          read,
          this.#note(kept, read, () => told(outcome)),
        );
    });
    if (!isTaken) for (const read of reads) onAnswer(read, { kind: 'refused', refusal: overloaded });
  }

  #note(kept: AnswersOfVersion, read: EventRead, compute: () => unknown): Answer {
    this.computed++;
    try {
      const answer: Answer = { kind: 'ok', value: compute() };
      if (kept.answers.size >= keptAnswersMax) kept.answers.delete(kept.answers.keys().next().value!);
      kept.answers.set(keyOfRead(read), answer);
      return answer;
    } catch (error) {
      this.#log.error({ err: error, read: read.type }, 'a large read failed');
      return { kind: 'refused', refusal: readFailed };
    }
  }

  #keep(state: ReadState): AnswersOfVersion {
    const before = this.#keptOf.get(state);
    if (before?.version === state.version) return before;
    const kept: AnswersOfVersion = { version: state.version, answers: new Map() };
    this.#keptOf.set(state, kept);
    this.#recent.push(kept);
    if (this.#recent.length > keptVersionsMax) this.#recent.shift()!.answers.clear();
    return kept;
  }
}

function told(outcome: Computed): Encoded {
  if (outcome.kind === 'failed') throw new Error(outcome.message);
  return new Encoded(outcome.value);
}
