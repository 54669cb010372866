/**
 * The reader's side of its messages: keeps the plans that the loop sends, and answers the reads of each capture, in the
 * order in which they come. A read that throws is answered `failed`.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { answerRead, planOf, stateOf } from '../rules/reads/reads.ts';
import type { Computed, FromReader, ToReader } from './reader-messages.ts';

/** Returns the receiver of the loop's messages. `tell` sends an answer to the loop. */
export function createReader(tell: (told: FromReader) => void): (message: ToReader) => void {
  const plans = new Map<string, Plan>();

  function answer({ id, captured, reads }: ToReader & { type: 'read' }): void {
    const state = stateOf(captured, plans.get(captured.planHash)!);
    for (const [nth, read] of reads.entries()) tell({ id, nth, outcome: computed(() => answerRead(state, read)) });
  }

  return (message) => {
    if (message.type === 'plan') plans.set(message.plan.hash, planOf(message.plan));
    else if (message.type === 'forget-plan') plans.delete(message.hash);
    else answer(message);
  };
}

function computed(compute: () => unknown): Computed {
  try {
    return { kind: 'ok', value: compute() };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
