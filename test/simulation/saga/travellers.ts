/**
 * Callers of a saga's history who exchange a booked seat of one event for a seat of another event. They repeat lost
 * calls under the same name, and try once more for another seat where a seat is taken.
 */
import type { ExchangeAnswer } from '@parterre/shared/protocol/answers';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { exchangeOverEvents } from '@parterre/shared/protocol/operations/exchanges';
import type { CoordinatorPorts } from '@parterre/shared/protocol/operations/ports';
import { server } from '../../support/inventory/house.ts';
import type { Scheduler } from '../world/scheduler.ts';
import { passed } from './buyers.ts';
import type { SagaEvent } from './saga-event.ts';
import { must, type SagaOracle } from './saga-oracle.ts';

const callMs = 10_000;
const patienceMs = 12_000;
const seats = ['A-1', 'A-2', 'A-3', 'B-1', 'C-1', 'C-2', 'C-3'];

/** A booking, the event that it was made in, and the events to which an exchange was confirmed. */
export type Journey = { ref: string; at: string; confirmed: string[]; isUnsure: boolean };

export type TravellerPorts = {
  scheduler: Scheduler;
  /** The way to the events of a front door that lives now. */
  ports(): CoordinatorPorts;
  events: readonly SagaEvent[];
  journeys: Journey[];
};

export async function travel({ scheduler, ports, events, journeys }: TravellerPorts, name: string): Promise<void> {
  const { random } = scheduler;
  const [from, to] = random.chance(0.5) ? [events[0]!, events[1]!] : [events[1]!, events[2]!];
  const label = random.pick(seats);
  const ref = `journey-${name}`;
  const selections = [{ label }];
  if (from.perform({ type: 'book-direct', callId: `book-${ref}`, bookingRef: ref, selections })?.kind !== 'ok') return;
  const journey: Journey = { ref, at: from.key, confirmed: [], isUnsure: false };
  journeys.push(journey);
  const call = async (exchangeId: string, seat: string, n: number): Promise<Outcome<ExchangeAnswer> | null> => {
    const exchange = {
      exchangeId,
      pinId: `${exchangeId}.${n}`,
      fromEventKey: from.key,
      toEventKey: to.key,
      bookingRef: ref,
      from: [{ label }],
      to: { selections: [{ label: seat }] },
      reason: null,
    };
    const told = exchangeOverEvents(ports(), exchange, server, scheduler.now + callMs);
    return Promise.race([told, passed(scheduler, patienceMs).then(() => null)]);
  };
  for (let attempt = 0, n = 0; attempt < 2; attempt++) {
    await passed(scheduler, random.delay(0, 8_000));
    const exchangeId = `exc-${name}-${attempt}`;
    const seat = random.pick(seats);
    // Another copy of the call may be under way, which may succeed where this copy is refused.
    if (random.chance(0.3)) {
      journey.isUnsure = true;
      void call(exchangeId, seat, n++);
    }
    for (let copies = 0; copies < 3; copies++) {
      const told = await call(exchangeId, seat, n++);
      if (told === null || (!told.ok && told.refusal.retryable)) {
        journey.isUnsure = true;
        continue;
      }
      scheduler.trace(`${ref} ${told.ok ? 'moved' : told.refusal.code}`);
      if (told.ok) {
        journey.confirmed.push(to.key);
        return;
      }
      break;
    }
  }
}

/** Every booking is whole: it has one place, on the night that its caller was told. */
export function checkJourneys(oracle: SagaOracle, journeys: readonly Journey[]): void {
  must(oracle.pins.size === 0, `units are still pinned: ${[...oracle.pins].join(', ')}`);
  for (const { ref, at, confirmed, isUnsure } of journeys) {
    const nights = oracle.placesOf(ref);
    must(nights.length === 1, `${ref} has places on ${nights.length} nights: ${nights.join(', ')}`);
    if (confirmed.length > 0) must(confirmed.includes(nights[0]!), `${ref} was confirmed, and stayed`);
    else if (!isUnsure) must(nights[0] === at, `${ref} was refused, and moved`);
  }
}
