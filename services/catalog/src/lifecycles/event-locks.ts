/**
 * The locks of a group or season on its events: the actor's lock refuses moves, deletions and charts, the note in the
 * event's document refuses changes of its times and venue. `lockId` names the activation, so every command here may be
 * repeated, by any process (I5).
 *
 * Failure at each await: an event does not answer → `waiting`, and the next look asks again; a lock may act until
 * `actsUntil` of its activation, so a process that wakes up later locks nothing.
 */
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { eventUnknown } from '../events/event-access.ts';
import { withLock, withoutLock } from '../events/rules/event-locks.ts';
import { events } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { eventLockAskMs } from '../store/rules/bounds.ts';
import type { LockNote } from '../store/rules/records.ts';

type LockPorts = Pick<Ports, 'store' | 'clock' | 'ask' | 'announce'>;

/** How the events took a command. `refused` is the first refusal that a repetition would meet again. */
export type Acks = { acked: number; refused: Refusal | null; waiting: boolean };

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

/** The chart version and currency that an event has now. */
export function factsOf(ports: LockPorts, eventKey: string) {
  return asked(ports, eventKey, { type: 'inspect-locks' as const });
}

/** The actors' locks. The events have this chart version and currency, or refuse. */
export function lockActors(
  ports: LockPorts,
  { owner, lockId }: LockNote,
  eventKeys: readonly string[],
  actsUntil: number,
  expects: { chartId: string; chartVersion: number; currency: string },
): Promise<Acks> {
  return ofAll(eventKeys, async (key) => {
    const locked = await asked(ports, key, { type: 'lock' as const, owner, lockId, actsUntil, expects });
    return locked.ok && locked.value.lock === null ? lockOver : locked;
  });
}

/** Another process has taken the lock back, so this activation has ended. */
const lockOver = refuse('conflict', 'The lock of this activation has ended.', { reason: 'lock_over' });

/** Lets no operation of the owner begin. `live` is the number of its operations that an event still has. */
export async function drainActors(
  ports: LockPorts,
  { owner, lockId }: LockNote,
  eventKeys: readonly string[],
): Promise<Acks & { live: number }> {
  let live = 0;
  const acks = await ofAll(eventKeys, async (key) => {
    const drained = await asked(ports, key, { type: 'drain-lock' as const, owner, lockId });
    // Each operation has parts in most events. The event with the most parts tells how many operations there are.
    if (drained.ok) live = Math.max(live, drained.value.lock?.live ?? 0);
    return drained;
  });
  return { ...acks, live };
}

/** Takes the actors' locks and the documents' notes back. A deleted event has neither. */
export async function unlockAll(
  ports: LockPorts,
  { owner, lockId }: LockNote,
  eventKeys: readonly string[],
): Promise<Acks> {
  const actors = await ofAll(eventKeys, async (key) =>
    gone(await asked(ports, key, { type: 'unlock' as const, owner, lockId })),
  );
  if (actors.waiting || actors.refused) return actors;
  return ofAll(eventKeys, async (key) =>
    gone(await noted(ports, key, (event) => done(withoutLock(event, { owner, lockId })))),
  );
}

export function noteLocks(ports: LockPorts, note: LockNote, eventKeys: readonly string[]): Promise<Acks> {
  return ofAll(eventKeys, (key) => noted(ports, key, (event) => withLock(event, note)));
}

function asked<C extends Parameters<Ports['ask']>[1]>({ ask, clock }: LockPorts, eventKey: string, command: C) {
  return ask(eventKey, command, byTimer, clock.elapsed() + eventLockAskMs);
}

async function noted(
  { store, announce }: LockPorts,
  eventKey: string,
  decide: Parameters<typeof change<import('../store/rules/records.ts').EventDocument>>[4],
): Promise<Outcome<unknown>> {
  const written = await change(store, events, eventKey, eventUnknown, decide);
  if (written.ok) announce({ kind: 'event', eventKey });
  return written;
}

function gone(outcome: Outcome<unknown>): Outcome<unknown> {
  const isGone = !outcome.ok && (outcome.refusal.code === 'not_found' || outcome.refusal.details?.status === 'deleted');
  return isGone ? done(null) : outcome;
}

async function ofAll(
  eventKeys: readonly string[],
  one: (eventKey: string) => Promise<Outcome<unknown>>,
): Promise<Acks> {
  const acks: Acks = { acked: 0, refused: null, waiting: false };
  for (const outcome of await Promise.all(eventKeys.map(one))) {
    if (outcome.ok) acks.acked++;
    else if (outcome.refusal.retryable || outcome.refusal.outcome) acks.waiting = true;
    else acks.refused ??= outcome.refusal;
  }
  return acks;
}
