/** A command that waits for its answer, and the message that it was sent in. */
import type { Envelope } from '@parterre/shared/commands';
import type { Outcome } from '@parterre/shared/errors';
import type { EventAddress } from './placement.ts';

export type Waiting = {
  readonly envelope: Envelope;
  readonly event: EventAddress;
  readonly partition: number;
  readonly bytes: number;
  readonly deadlineAt: number;
  readonly resolve: (outcome: Outcome<never>) => void;
  /** `parked` and `queued` wait for something else than the sweep. */
  state: 'queued' | 'sent' | 'pausing' | 'parked';
  /** When the sweep acts on a command that is sent or pausing. */
  actAt: number;
  resent: boolean;
  batch: Batch | null;
};

/** What was sent as one message, until all of it is answered or sent anew. */
export type Batch = {
  readonly number: number;
  readonly partition: number;
  members: number;
  readonly commands: Waiting[];
};

export function leaveBatch(waiting: Waiting, batches: Map<number, Batch>): void {
  const { batch } = waiting;
  if (!batch) return;
  waiting.batch = null;
  batch.members--;
  if (batch.members === 0) batches.delete(batch.number);
}

export function attemptOf({ attempt = 1 }: { attempt?: number }): number {
  return attempt;
}
