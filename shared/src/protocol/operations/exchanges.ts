/**
 * Coordinates an exchange over two events: a booking gives up units of one event and has units of another event
 * instead, all or none. As for a group's booking, the pins come first, then one event decides, and the other event
 * follows (docs/internals/sales-over-events.md).
 *
 * States of a try: nothing → pinned at the event that gives → taken at the other event, which decides → given. Or:
 * pinned → refused at the other event, which decides → unpinned. Between taken and given, the booking has the units of
 * both events, and the pin lets nobody change the old ones. So the booking is never without its place, and has one
 * night in the end.
 *
 * Failure at each await:
 *   - The looks before the pin fail or are refused → nothing was done.
 *   - The pin's answer is lost → the units may be pinned. The catalog sees the pin, and takes it back behind a refusal.
 *   - The taking is refused (sold out, archived, too late) → the refusal is recorded there before the pin goes, since a
 *     slow copy could still take units.
 *   - The taking's answer is lost, or this process dies → the catalog asks the event that takes to refuse. The event
 *     refuses, and the pin goes; or the event has taken, and the units are given.
 *   - The giving is not answered → the exchange is decided. The caller is told to repeat the call, and the catalog goes
 *     on (operations/pinned-exchanges.ts).
 * Every command is harmless when it is repeated. A repetition of the call finds the try at the event that gives, and
 * gets the first answer from the event that took, for a day.
 */
import { SECOND_MS } from '../../runtime/units.ts';
import type { Answers, ExchangeAnswer } from '../answers.ts';
import type { Caller, Command, ExchangeCharge, ExchangeTarget, ExchangeTry, Selection } from '../commands.ts';
import { done, type Outcome, type Refusal, refuse } from '../errors.ts';
import { isUncertain } from './operation-refusals.ts';
import type { CoordinatorPorts } from './ports.ts';

/** A command of an exchange does nothing later than this after the call. */
const actsMs = 15 * SECOND_MS;

export type ExchangeOverEvents = ExchangeTry &
  ExchangeCharge & {
    fromEventKey: string;
    toEventKey: string;
    bookingRef: string;
    from: Selection[];
    to: ExchangeTarget;
    reason: string | null;
  };

/** A pin that stands. */
export type PinnedExchange = ExchangeTry & Pick<ExchangeOverEvents, 'fromEventKey' | 'toEventKey'>;

const givenUp = refuse('shard_unavailable', 'The exchange took too long, and nothing was changed. Try again.', {
  retryable: true,
});

/** The reasons by which an event tells that the try is over, which is no refusal of the exchange. */
const ofTry: readonly (string | undefined)[] = ['too_late', 'exchange_given_up'];

/** The answer of the exchange, without effects. */
export async function quoteExchange(
  ports: CoordinatorPorts,
  exchange: ExchangeOverEvents,
  caller: Caller,
  deadlineAt: number,
): Promise<Outcome<ExchangeAnswer>> {
  const ask = asker(ports, caller, deadlineAt);
  const pinned = await ask(exchange.fromEventKey, { ...pinOf(exchange, ports), isDry: true });
  if (!pinned.ok) return pinned;
  return ask(exchange.toEventKey, { ...takeOf(exchange, pinned.value, ports), isDry: true });
}

/** A refusal says that nothing was done, unless it is uncertain. */
export async function exchangeOverEvents(
  ports: CoordinatorPorts,
  exchange: ExchangeOverEvents,
  caller: Caller,
  deadlineAt: number,
): Promise<Outcome<ExchangeAnswer>> {
  const ask = asker(ports, caller, deadlineAt);
  const { fromEventKey, toEventKey } = exchange;
  // Most refusals come here, and leave no record.
  const looked = await ask(fromEventKey, { ...pinOf(exchange, ports), isDry: true });
  if (!looked.ok) return looked;
  if (looked.value.state === 'gone') return ask(toEventKey, { ...takeOf(exchange, looked.value, ports), actsUntil: 0 });
  if (looked.value.state === 'dry') {
    const quoted = await ask(toEventKey, { ...takeOf(exchange, looked.value, ports), isDry: true });
    if (!quoted.ok && !(await isUnderWay(ask, exchange, ports))) return quoted;
  }
  const pinned = await ask(fromEventKey, pinOf(exchange, ports));
  if (!pinned.ok) return told(pinned.refusal);
  const { pinId, state } = pinned.value;
  const actsUntil = state === 'gone' ? { actsUntil: 0 } : {};
  const taken = await ask(toEventKey, { ...takeOf(exchange, pinned.value, ports), ...actsUntil });
  if (taken.ok) return giveUp(ask, { ...exchange, pinId }, taken.value, exchange.reason);
  if (isUncertain(taken.refusal) || state === 'gone') return taken;
  const ended = await endTry(ask, { ...exchange, pinId });
  if (!ended.ok) return ended;
  return ended.value === null ? told(taken.refusal) : done(ended.value);
}

/** Whether another copy of the call has pinned meanwhile: then that copy itself may have what this call is refused. */
async function isUnderWay(ask: Ask, exchange: ExchangeOverEvents, ports: CoordinatorPorts): Promise<boolean> {
  const looked = await ask(exchange.fromEventKey, { ...pinOf(exchange, ports), isDry: true });
  return looked.ok && looked.value.state !== 'dry';
}

/**
 * Ends a pin whose coordinator stopped. The answer is that of the exchange, or null if the pin was taken back. A
 * refusal says that an event did not answer.
 */
export function resumeExchange(
  ports: CoordinatorPorts,
  exchange: PinnedExchange,
  caller: Caller,
  deadlineAt: number,
): Promise<Outcome<ExchangeAnswer | null>> {
  return endTry(asker(ports, caller, deadlineAt), exchange);
}

type Ask = <C extends Command>(eventKey: string, command: C) => Promise<Outcome<Answers[C['type']]>>;

function asker({ ask }: CoordinatorPorts, caller: Caller, deadlineAt: number): Ask {
  return (eventKey, command) => ask(eventKey, command, caller, deadlineAt);
}

function told(refusal: Refusal): Outcome<never> {
  return ofTry.includes(refusal.reason) ? givenUp : { ok: false, refusal };
}

function pinOf(
  { exchangeId, pinId, bookingRef, from, toEventKey }: ExchangeOverEvents,
  { now }: CoordinatorPorts,
): Command & { type: 'pin-exchange' } {
  return { type: 'pin-exchange', exchangeId, pinId, bookingRef, from, toEventKey, actsUntil: now() + actsMs };
}

function takeOf(
  { exchangeId, bookingRef, to, reason, fee, waiveDifference }: ExchangeOverEvents,
  { pinId, given }: Answers['pin-exchange'],
  { now }: CoordinatorPorts,
): Command & { type: 'take-exchange' } {
  return {
    type: 'take-exchange',
    exchangeId,
    pinId,
    bookingRef,
    to,
    given,
    reason,
    actsUntil: now() + actsMs,
    ...(fee !== undefined && { fee }),
    ...(waiveDifference && { waiveDifference }),
  };
}

/** The event that takes decides against the try, or says that it has taken. The other event follows. */
async function endTry(ask: Ask, exchange: PinnedExchange): Promise<Outcome<ExchangeAnswer | null>> {
  const { exchangeId, pinId, fromEventKey, toEventKey } = exchange;
  const decided = await ask(toEventKey, { type: 'refuse-exchange', exchangeId, pinId });
  if (!decided.ok) return decided;
  const { taken } = decided.value;
  if (taken !== null) return giveUp(ask, exchange, taken, null);
  const unpinned = await ask(fromEventKey, { type: 'unpin-exchange', exchangeId, pinId });
  return unpinned.ok ? done(null) : unpinned;
}

async function giveUp(
  ask: Ask,
  { exchangeId, pinId, fromEventKey, toEventKey }: PinnedExchange,
  taken: ExchangeAnswer,
  reason: string | null,
): Promise<Outcome<ExchangeAnswer>> {
  const { to, priceDifference } = taken;
  const command = { type: 'give-exchange', exchangeId, pinId, toEventKey, to, priceDifference, reason } as const;
  const given = await ask(fromEventKey, { ...command, to: [...to] });
  return given.ok ? done(taken) : given;
}
