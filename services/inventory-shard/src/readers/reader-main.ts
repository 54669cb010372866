/**
 * The program of the reader thread: keeps the plans that the loop sends, and answers the reads of each capture, in the
 * order in which they come. Answers are encoded here. When the first answer of unit columns does not reach the last
 * unit, the answers that go on from there come along: a report in several pieces is of one version. A read that throws is answered `failed`. Any other exception ends the thread, and the loop
 * starts another.
 */
import { parentPort } from 'node:worker_threads';
import type { UnitColumns } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { encode } from '@parterre/shared/wire';
import { answerRead, type LargeRead, planOf, stateOf } from '../rules/reads/reads.ts';
import type { ReadState } from '../rules/state/state.ts';
import type { Computed, FromReader, ToReader } from './reader-messages.ts';

const plans = new Map<string, Plan>();

parentPort!.on('message', (message: ToReader) => {
  switch (message.type) {
    case 'plan':
      plans.set(message.plan.hash, planOf(message.plan));
      return;
    case 'forget-plan':
      plans.delete(message.hash);
      return;
    case 'read':
      answer(message);
  }
});

function answer({ id, captured, reads }: ToReader & { type: 'read' }): void {
  const state = stateOf(captured, plans.get(captured.planHash)!);
  for (const [nth, read] of reads.entries()) {
    const outcome = computed(state, read);
    parentPort!.postMessage({ id, nth, outcome } satisfies FromReader, buffersIn(outcome));
  }
}

function buffersIn(outcome: Computed): ArrayBuffer[] {
  if (outcome.kind === 'failed') return [];
  return [outcome, ...outcome.rest].map(({ value }) => value.buffer as ArrayBuffer);
}

function computed(state: ReadState, read: LargeRead): Computed {
  try {
    const value = answerRead(state, read);
    return { kind: 'ok', value: encoded(value), rest: startsReport(read) ? restOf(state, value as UnitColumns) : [] };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function startsReport(read: LargeRead): boolean {
  return read.type === 'unit-columns' && read.from === 0 && read.most === undefined;
}

function restOf(state: ReadState, first: UnitColumns): { from: number; value: Uint8Array }[] {
  const rest = [];
  for (let from = first.statuses.length; from < state.plan.unitCount; ) {
    const piece = answerRead(state, { type: 'unit-columns', from }) as UnitColumns;
    rest.push({ from, value: encoded(piece) });
    from += piece.statuses.length;
  }
  return rest;
}

/** A buffer of its own, which leaves for the loop. */
function encoded(value: unknown): Uint8Array {
  return Uint8Array.from(encode(value));
}
