/**
 * The callers of a saga's history. Buyers of the groups hold the same seats in several events, then extend, release or
 * book, sometimes at two front doors at once and under two actions. Lost calls are repeated under the same names. Other
 * buyers want the same seats of one event.
 */
import type { Command, Selection } from '@parterre/shared/protocol/commands';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { internalIdOf, type OperationOwner } from '@parterre/shared/protocol/operations/operation';
import type { Coordinator, OperationRef, OperationView } from '@parterre/shared/protocol/operations/ports';
import { server } from '../../support/inventory/house.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { SagaEvent } from './saga-event.ts';

export type Group = { owner: OperationOwner; eventKeys: readonly string[] };

/** A call with the answer that its caller has; null without one. */
export type BuyerAnswer = {
  id: string;
  call: 'hold' | 'extend' | 'release' | 'book';
  actionId: string | null;
  outcome: Outcome<OperationView> | null;
};

export type BuyersPorts = {
  scheduler: Scheduler;
  /** The coordinator of a front door that lives now. */
  coordinator(): Coordinator;
  told: BuyerAnswer[];
};

const callMs = 10_000;
const patienceMs = 12_000;
const ttlMs = 60_000;
const seats = ['A-1', 'A-2', 'A-3', 'A-4', 'B-1'];

/** Resolves when the buyer wants nothing more. */
export async function buyGroup(ports: BuyersPorts, { owner, eventKeys }: Group, operationId: string): Promise<void> {
  const { scheduler, told } = ports;
  const { random } = scheduler;
  const id = internalIdOf(owner, operationId);
  // An operation may leave events of its owner out.
  const left = random.chance(0.2) ? random.pick(eventKeys) : null;
  const parts = draftOf(
    ports,
    eventKeys.filter((eventKey) => eventKey !== left),
  );
  const ref: OperationRef = { owner, operationId, eventKeys: parts.map(({ eventKey }) => eventKey) };

  /** One call at some front door: null where no answer came. */
  async function call(
    name: BuyerAnswer['call'],
    actionId: string | null,
    run: (at: Coordinator, deadlineAt: number) => Promise<Outcome<OperationView>>,
  ): Promise<Outcome<OperationView> | null> {
    const call: BuyerAnswer = { id, call: name, actionId, outcome: null };
    told.push(call);
    const outcome = await Promise.race([
      run(ports.coordinator(), scheduler.now + callMs),
      passed(scheduler, patienceMs).then(() => null),
    ]);
    if (outcome) {
      call.outcome = outcome;
      scheduler.trace(`${operationId} ${name}: ${outcome.ok ? outcome.value.state : outcome.refusal.code}`);
    }
    return outcome;
  }
  const hold = () =>
    call('hold', null, (at, deadlineAt) => at.hold({ owner, operationId, parts, ttlMs }, server, deadlineAt));
  const book = (actionId: string) =>
    call('book', actionId, async (at, deadlineAt) => {
      const action = { actionId, bookingRef: `order-${operationId}-${actionId}` };
      // A front door takes the operation to have all events of its owner.
      const assumed = { ...ref, eventKeys, isAssumed: true };
      const booked = await at.book(assumed, action, server, deadlineAt);
      return booked.ok || booked.refusal.reason !== 'other_events' ? booked : at.book(ref, action, server, deadlineAt);
    });
  const release = () => call('release', null, (at, deadlineAt) => at.release(ref, server, deadlineAt));
  const extend = () => call('extend', null, (at, deadlineAt) => at.extend(ref, ttlMs, server, deadlineAt));
  const wait = (mostMs: number) => passed(scheduler, random.delay(0, mostMs));

  // A repetition may be under way beside the first call.
  if (random.chance(0.2)) void wait(200).then(hold);
  for (let attempt = 0; attempt < 3; attempt++) {
    const held = await hold();
    if (held && isFinal(held)) break;
  }
  await wait(random.chance(0.2) ? ttlMs : 3_000);
  const wish = random.next();
  if (wish < 0.1) return;
  if (wish < 0.25) await release();
  else if (wish < 0.4) {
    await extend();
    await wait(ttlMs);
    await book('one');
  } else {
    const others = random.chance(0.3) ? [book('two')] : random.chance(0.3) ? [wait(100).then(release)] : [];
    if (random.chance(0.2)) others.push(wait(100).then(extend));
    for (let attempt = 0; attempt < 3; attempt++) {
      const booked = await book('one');
      if (booked && isFinal(booked)) break;
    }
    await Promise.all(others);
  }
}

/** Whether the answer says what becomes of the call. */
export function isFinal(outcome: Outcome<OperationView>): boolean {
  if (!outcome.ok) return !outcome.refusal.retryable && outcome.refusal.outcome !== 'unknown';
  const { state, booking } = outcome.value;
  return booking ? booking.state === 'booked' : state === 'committed' || state === 'expired' || state === 'aborted';
}

function draftOf({ scheduler: { random } }: BuyersPorts, eventKeys: readonly string[]) {
  const choose = (): Selection[] => {
    const count = random.int(1, 2);
    return [...new Set(Array.from({ length: count }, () => random.pick(seats)))].map((label) => ({ label }));
  };
  const same = random.chance(0.7) ? choose() : null;
  return eventKeys.map((eventKey) => ({ eventKey, selections: same ?? choose() }));
}

/** A buyer of one event, at the counter next to it. */
export async function buyAlone(scheduler: Scheduler, event: SagaEvent, name: string): Promise<void> {
  const { random } = scheduler;
  const label = random.pick(seats);
  const selections = [{ label }];
  const holdId = `hold-${name}`;
  const perform = (command: Command): boolean => event.perform(command, server)?.kind === 'ok';
  if (!perform({ type: 'hold', holdId, selections, ttlMs })) return;
  await passed(scheduler, random.delay(0, 20_000));
  if (random.chance(0.5)) perform({ type: 'release', holdId, callId: `release-${name}` });
  else perform({ type: 'book', holdId, callId: `book-${name}`, bookingRef: `single-${name}` });
}

export function passed(scheduler: Scheduler, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    scheduler.after(delayMs, resolve);
  });
}
