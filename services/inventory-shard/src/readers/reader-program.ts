/**
 * The reader's side of its messages: keeps the plans that the loop sends, and answers the reads of each capture, in the
 * order in which they come. Answers are encoded here. If the first answer of unit columns does not reach the last unit,
 * the answers that go on from there come along: a report in several pieces is of one version. A read that throws is
 * answered `failed`.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { encode } from '@parterre/shared/protocol/wire';
import { planOf, stateOf } from '../rules/reads/captured.ts';
import { answerRead, type LargeRead } from '../rules/reads/event-reads.ts';
import { unitColumnsInPieces } from '../rules/reads/unit-columns.ts';
import type { ReadState } from '../rules/state/state.ts';
import type { Computed, FromReader, Piece, ToReader } from './reader-messages.ts';

/** Returns the receiver of the loop's messages. `tell` sends an answer to the loop, and moves the buffers there. */
export function createReader(tell: (told: FromReader, transfer: ArrayBuffer[]) => void): (message: ToReader) => void {
  const plans = new Map<string, Plan>();

  function answer({ id, captured, reads }: ToReader & { type: 'read' }): void {
    const state = stateOf(captured, plans.get(captured.planHash)!);
    for (const [nth, read] of reads.entries()) {
      const outcome = computed(state, read);
      tell({ id, nth, outcome }, buffersIn(outcome));
    }
  }

  return (message) => {
    if (message.type === 'plan') plans.set(message.plan.hash, planOf(message.plan));
    else if (message.type === 'forget-plan') plans.delete(message.hash);
    else answer(message);
  };
}

function buffersIn(outcome: Computed): ArrayBuffer[] {
  if (outcome.kind === 'failed') return [];
  return [outcome, ...outcome.rest].map(({ value }) => value.buffer as ArrayBuffer);
}

function computed(state: ReadState, read: LargeRead): Computed {
  try {
    const [first, ...rest] = answersTo(state, read);
    return { kind: 'ok', value: first!.value, rest };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function answersTo(state: ReadState, read: LargeRead): Piece[] {
  const startsReport = read.type === 'unit-columns' && read.from === 0 && read.most === undefined;
  if (!startsReport) return [{ from: 0, value: encoded(answerRead(state, read)) }];
  return Array.from(unitColumnsInPieces(state, 0), (piece) => ({ from: piece.from, value: encoded(piece) }));
}

/** A buffer of its own, which leaves for the loop. */
function encoded(value: unknown): Uint8Array {
  return Uint8Array.from(encode(value));
}
