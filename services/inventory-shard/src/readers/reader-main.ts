/**
 * The program of the reader thread: keeps the plans that the loop sends, and answers the reads of each capture, in the
 * order in which they come. A read that throws is answered `failed`. Any other exception ends the thread, and the loop
 * starts another.
 */
import { parentPort } from 'node:worker_threads';
import type { Plan } from '@parterre/shared/chart/plan';
import { answerRead, planOf, stateOf } from '../rules/reads/reads.ts';
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
    const told: FromReader = { id, nth, outcome: computed(() => answerRead(state, read)) };
    parentPort!.postMessage(told);
  }
}

function computed(compute: () => unknown): Computed {
  try {
    return { kind: 'ok', value: compute() };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
