/**
 * Turns of long work: an organisation has one at a time, and organisations take turns. A call that waits at its deadline
 * leaves the queue, so no work is done for a caller that is gone.
 *
 * States of a turn: waiting → running → over; waiting → refused. Failure at the await: the turn does not come by the
 * deadline, or too many of the organisation wait → `overloaded`, `retryable`.
 */
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { tenantTurnsWaitingMax } from '@parterre/shared/limits';
import { createTurnsOfParties } from '@parterre/shared/turns';

/** A turn that has come. `release` ends the turn; a second call does nothing. */
export type TenantTurn = { release(): void };

export type TenantTurns = {
  /** Waits for a turn of the organisation. `deadlineAt` is in `Clock.elapsed`. */
  acquire(organisationId: string, deadlineAt: number): Promise<Outcome<TenantTurn>>;
};

const tooMany = refuse('overloaded', 'Too many long calls of this account wait for their turn. Try again.', {
  retryable: true,
});

/** One turn of an organisation at a time, and `atOnce` in all. */
export function createTenantTurns(clock: Clock, atOnce: number): TenantTurns {
  const turns = createTurnsOfParties(atOnce, 1);
  const waitingOf = new Map<string, number>();

  async function acquire(organisationId: string, deadlineAt: number): Promise<Outcome<TenantTurn>> {
    const waiting = waitingOf.get(organisationId) ?? 0;
    if (waiting >= tenantTurnsWaitingMax) return tooMany;
    waitingOf.set(organisationId, waiting + 1);
    const leaving = new AbortController();
    const cancel = clock.after(deadlineAt - clock.elapsed(), () => leaving.abort());
    const turn = await new Promise<TenantTurn | null>((resolve) => {
      const lend = () => new Promise<void>((release) => resolve({ release }));
      void turns(organisationId, lend, leaving.signal).then(() => resolve(null));
    });
    cancel();
    leave(organisationId);
    return turn === null ? tooMany : done(turn);
  }

  function leave(organisationId: string): void {
    const left = waitingOf.get(organisationId)! - 1;
    if (left > 0) waitingOf.set(organisationId, left);
    else waitingOf.delete(organisationId);
  }

  return { acquire };
}
