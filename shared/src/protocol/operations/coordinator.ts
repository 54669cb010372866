/**
 * Coordinates the parts of an operation over several events. docs/internals/sales-over-events.md has the design and its
 * proof.
 *
 * States of an operation: no part → members hold → the home holds (committed) → members pinned → the home books or
 * extends → members follow; or committed → the home releases or expires → members release; or members hold → the home
 * aborts → members release. The home's journal has every decision. Only after a decision are its consequences sent.
 *
 * A hold begins with a look: every event says whether it would hold its part now, and writes nothing. The first member
 * says it by its hold, which comes first. A hold that an event refuses there ends, with no part and no record in any
 * journal. The look promises nothing. Another buyer may take a seat behind the look, and then the refusal comes while
 * parts stand, and is recorded.
 *
 * Failure at each await. An event does not answer the look in time → it refuses nothing; if another one does, the
 * operation is aborted by record, since the silent event may have a part of an earlier copy. This process dies in the
 * look → nothing was written, and the operation does not exist. An event does not answer by the deadline, or its
 * answer is uncertain → nothing more is decided; the view is unfinished, or the refusal is retryable. This process
 * dies → the parts stay as they are. In both cases the catalog sees the open operation and calls `resume`. An event
 * refuses a consequence for no other reason, so the answer to a consequence decides nothing and only shows in the
 * view. Every command is harmless when it is repeated, by any process.
 */

import { SECOND_MS } from '../../runtime/units.ts';
import type { Answers, LineItem } from '../answers.ts';
import type { Caller, Command } from '../commands.ts';
import { done, type Outcome, type Refusal } from '../errors.ts';
import { derivedId, sha256 } from '../ids.ts';
import { totalOfItems } from '../money.ts';
import { holdExtendsMax, holdTtlMsDefault, holdTtlMsMax } from '../page-limits.ts';
import { priceChanged } from '../price-changed.ts';
import { internalIdOf, type OperationHead, type PartAction, type PartStanding } from './operation.ts';
import {
  type EventRefusal,
  extendLimit,
  isAboutOperation,
  isUncertain,
  mergedOf,
  notExtended,
  otherEvents,
  silent,
  unknownOperation,
} from './operation-refusals.ts';
import { isSettled, type SeenPart, stateOfPart, viewOf } from './operation-views.ts';
import type {
  AssumedRef,
  CancelOutcome,
  Coordinator,
  CoordinatorPorts,
  OperationDraft,
  OperationRef,
  OperationView,
} from './ports.ts';

/** A command that begins something does nothing later than this after the call. The shortest hold is longer. */
const actsMs = 15 * SECOND_MS;

/** Looks of one `resume`: another coordinator may decide between a look and an act. */
const looksMax = 3;

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

export function createCoordinator(ports: CoordinatorPorts): Coordinator {
  return {
    hold: (draft, caller, deadlineAt) => new Run(ports, refOf(draft), caller, deadlineAt).hold(draft),
    inspect: (ref, deadlineAt) => new Run(ports, ref, byTimer, deadlineAt).inspect(),
    extend: (ref, ttlMs, caller, deadlineAt, name) => new Run(ports, ref, caller, deadlineAt).extend(ttlMs, name),
    release: (ref, caller, deadlineAt) => new Run(ports, ref, caller, deadlineAt).release(),
    book: (ref, action, caller, deadlineAt) => new Run(ports, ref, caller, deadlineAt).book(action),
    cancelBooking: (...call) => cancelBooking(ports, ...call),
    resume: (ref, deadlineAt) => new Run(ports, ref, byTimer, deadlineAt).resume(),
    abandon: (head, createdAt, deadlineAt) => new Run(ports, head, byTimer, deadlineAt).abandon(head, createdAt),
  };
}

/**
 * Cancels the units of a booking in every event. The events need no order: the caller has decided. An event that does
 * not answer is told as `pending`, and a repetition under the same name is harmless.
 */
function cancelBooking(
  { ask }: CoordinatorPorts,
  { owner, operationId, eventKeys }: OperationRef,
  { cancelActionId, bookingRef, labels, waitsForCheckout = false }: Parameters<Coordinator['cancelBooking']>[1],
  caller: Caller,
  deadlineAt: number,
): Promise<CancelOutcome[]> {
  const id = internalIdOf(owner, operationId);
  const operation = { id, owner, operationId, actionId: cancelActionId };
  return Promise.all(eventKeys.map(cancelIn));

  async function cancelIn(eventKey: string): Promise<CancelOutcome> {
    const own = labels[eventKey] ?? [];
    if (own.length === 0) return { eventKey, state: 'cancelled', code: null };
    const callId = derivedId('call', id, 'cancel', cancelActionId, eventKey);
    const command = { type: 'unbook-part' as const, operation, callId, bookingRef, labels: [...own] };
    const told = await ask(eventKey, command, caller, deadlineAt);
    if (told.ok) return { eventKey, state: 'cancelled', code: null };
    const { code, reason } = told.refusal;
    const isPending =
      isUncertain(told.refusal) ||
      reason === 'exchange_pending' ||
      (waitsForCheckout && reason === 'resale_in_checkout');
    return { eventKey, state: isPending ? 'pending' : 'failed', code };
  }
}

/** What every part knows of the operation. */
export function headOf({
  parts,
  ttlMs: _ttlMs,
  expectedTotal: _expectedTotal,
  ...named
}: OperationDraft): OperationHead {
  const eventKeys = parts.map(({ eventKey }) => eventKey);
  return { ...named, id: internalIdOf(named.owner, named.operationId), eventKeys };
}

function refOf({ owner, operationId, parts }: OperationDraft): OperationRef {
  return { owner, operationId, eventKeys: parts.map(({ eventKey }) => eventKey) };
}

type HoldTerms = { expectedTotal?: number };

/** `isWhole`: no event may have a part that it has not told. */
type Refused = { refused: readonly EventRefusal[]; isWhole: boolean };

/** Asks an event to hold its part. The part is seen. */
type HoldIn = (eventKey: string, terms?: HoldTerms) => Promise<Outcome<Answers['hold-part']>>;

/** Asks an event whether it would. A part that is there already is seen. */
type LookIn = (eventKey: string, terms?: HoldTerms) => Promise<Outcome<Answers['look-part']>>;

/** One call. */
class Run {
  readonly #ports: CoordinatorPorts;
  readonly #ref: AssumedRef;
  readonly #caller: Caller;
  readonly #deadlineAt: number;
  readonly #id: string;
  readonly #home: string;
  readonly #members: readonly string[];
  /** By event: the part as the event last showed it. */
  readonly #seen = new Map<string, SeenPart>();

  constructor(ports: CoordinatorPorts, ref: AssumedRef, caller: Caller, deadlineAt: number) {
    this.#ports = ports;
    this.#ref = ref;
    this.#caller = caller;
    this.#deadlineAt = deadlineAt;
    this.#id = internalIdOf(ref.owner, ref.operationId);
    this.#home = ref.eventKeys[0]!;
    this.#members = ref.eventKeys.slice(1);
  }

  async hold(draft: OperationDraft): Promise<Outcome<OperationView>> {
    const { parts, ttlMs = holdTtlMsDefault, expectedTotal } = draft;
    const now = this.#ports.now();
    const head = headOf(draft);
    const fingerprint = sha256(JSON.stringify(expectedTotal === undefined ? parts : { parts, expectedTotal }));
    let expiresAt = now + Math.min(ttlMs, holdTtlMsMax);
    const actsUntil = now + actsMs;
    const partIn = (eventKey: string, terms: HoldTerms) => {
      const { selections } = parts.find((part) => part.eventKey === eventKey)!;
      return { head, selections, expiresAt, actsUntil, fingerprint, ...terms };
    };
    const holdIn: HoldIn = async (eventKey, terms = {}) => {
      const held = await this.#ask(eventKey, { type: 'hold-part' as const, ...partIn(eventKey, terms) });
      if (held.ok) this.#seen.set(eventKey, held.value);
      return held;
    };
    const { ask, looksUntil = this.#deadlineAt } = this.#ports;
    const lookIn: LookIn = async (eventKey, terms = {}) => {
      const look = { type: 'look-part' as const, ...partIn(eventKey, terms) };
      const told = await ask(eventKey, look, this.#caller, Math.min(looksUntil, this.#deadlineAt));
      if (told.ok && !told.value.wouldHold) this.#seen.set(eventKey, told.value);
      return told;
    };
    const looked = await this.#lookAhead(lookIn, expectedTotal);
    // Parts stand only if an earlier copy of this call has held them.
    if (looked.refused.length > 0) return this.#giveUp(head, now, looked);
    const refused: EventRefusal[] = [];
    const stand = async (eventKey: string, terms?: HoldTerms): Promise<boolean> => {
      const held = await holdIn(eventKey, terms);
      if (!held.ok && !isUncertain(held.refusal)) {
        refused.push([eventKey, ofAllEvents(held.refusal, this.#ref, this.#seen)]);
      }
      return held.ok;
    };
    const [first, ...others] = this.#members;
    // The first part names the common end: another copy of this call may have chosen it.
    let stands = first === undefined || (await stand(first));
    if (stands && first !== undefined) expiresAt = this.#seen.get(first)!.expiresAt;
    if (stands) stands = (await Promise.all(others.map((key) => stand(key)))).every(Boolean);
    if (stands) await stand(this.#home, termsOf(restOfTotal(expectedTotal, this.#seen)));
    if (refused.length === 0) return done(this.#view());
    // The home decides. A late copy of its refused hold may still hold.
    return this.#giveUp(head, now, { refused, isWhole: first !== undefined });
  }

  /**
   * The refusals of the events that would not hold their parts now, in the order of the events. An event that does not
   * answer refuses nothing. The first member is asked only for a total, or beside a refusal: the hold asks it alone, so
   * its refusal of the hold itself leaves nothing either.
   */
  async #lookAhead(lookIn: LookIn, expectedTotal: number | undefined): Promise<Refused> {
    const parts = new Map<string, SeenPart>();
    const { eventKeys } = this.#ref;
    const [first, ...others] = this.#members;
    const looks = new Map<string, Awaited<ReturnType<LookIn>>>();
    const look = async (eventKey: string): Promise<void> => void looks.set(eventKey, await lookIn(eventKey));
    await Promise.all((expectedTotal === undefined ? [this.#home, ...others] : eventKeys).map(look));
    const isRefused = [...looks.values()].some((told) => !told.ok && !isUncertain(told.refusal));
    if (isRefused && first !== undefined && !looks.has(first)) await look(first);
    const refused = eventKeys.flatMap((eventKey): EventRefusal[] => {
      const told = looks.get(eventKey);
      if (told?.ok) parts.set(eventKey, told.value);
      return !told || told.ok || isUncertain(told.refusal) ? [] : [[eventKey, told.refusal]];
    });
    const isWhole = [...looks.values()].every((told) => told.ok || !isUncertain(told.refusal));
    const isPriced = expectedTotal !== undefined && parts.size === eventKeys.length;
    if (!isPriced || totalOfItems(itemsIn(parts)) === expectedTotal) return { refused, isWhole };
    // The home words the refusal of the price.
    parts.delete(this.#home);
    const priced = await lookIn(this.#home, termsOf(restOfTotal(expectedTotal, parts)));
    if (priced.ok || isUncertain(priced.refusal)) return { refused, isWhole };
    return { refused: [[this.#home, ofAllEvents(priced.refusal, this.#ref, parts)]], isWhole };
  }

  async inspect(): Promise<Outcome<OperationView>> {
    const answers = await this.#look();
    const isKnown = [...this.#seen.values()].some((part) => part !== null);
    if (isKnown) return done(this.#view());
    return answers.find((answer) => !answer.ok) ?? unknownOperation;
  }

  async extend(ttlMs = holdTtlMsDefault, name?: string): Promise<Outcome<OperationView>> {
    const now = this.#ports.now();
    const action: PartAction = {
      id: derivedId('call', this.#id, ...(name === undefined ? ['extend', String(now)] : ['extend-named', name])),
      kind: 'extend',
      bookingRef: null,
    };
    const expiresAt = now + Math.min(ttlMs, holdTtlMsMax);
    await this.#look([this.#home]);
    const home = this.#seen.get(this.#home);
    if (isLongEnough(home, action.id, expiresAt)) return this.inspect();
    // The home would refuse behind the pins, which are records.
    if (home?.state === 'held' && home.extends >= holdExtendsMax) return extendLimit;
    const pinned = await this.#pin(action);
    if (!pinned.ok) return this.#refuse(action, pinned.refusal);
    const decided = await this.#ask(this.#home, this.#extension(action.id, expiresAt));
    if (!decided.ok) return this.#refuse(action, decided.refusal);
    await this.#toMembers(this.#extension(action.id, decided.value.expiresAt));
    return this.inspect();
  }

  async release(): Promise<Outcome<OperationView>> {
    const decided = await this.#ask(this.#home, { type: 'release-part', id: this.#id });
    if (!decided.ok) return decided;
    if (decided.value.part === null) {
      await this.#look(this.#members);
      const aborted = await this.#abort();
      if (!aborted.ok) return aborted;
    }
    await this.#releaseMembers();
    return this.inspect();
  }

  async book(named: { actionId: string; bookingRef: string }): Promise<Outcome<OperationView>> {
    const { actionId, bookingRef } = named;
    const action: PartAction = { id: actionId, kind: 'book', bookingRef };
    const pinned = await this.#pinToBook(action);
    if (!pinned.ok) return this.#refuse(action, pinned.refusal);
    const booking = this.#booking(actionId, bookingRef);
    const decided = await this.#ask(this.#home, booking);
    if (!decided.ok) return this.#refuse(action, decided.refusal);
    this.#seen.set(this.#home, decided.value);
    await this.#toMembers(booking);
    return done(this.#view());
  }

  async resume(): Promise<Outcome<OperationView>> {
    for (let look = 0; look < looksMax; look++) {
      const told = await this.inspect();
      if (!told.ok) return told;
      if (this.#seen.get(this.#home) === undefined) return silent;
      if (isSettled(told.value) && !this.#livesOn()) return told;
      await this.#goOn();
    }
    return this.inspect();
  }

  async abandon(head: OperationHead, createdAt: number): Promise<Outcome<OperationView>> {
    const aborted = await this.#ask(this.#home, { type: 'abort-operation', head, createdAt });
    return aborted.ok ? this.inspect() : aborted;
  }

  /** Some event refused its part for good. */
  async #giveUp(
    head: OperationHead,
    createdAt: number,
    { refused, isWhole }: Refused,
  ): Promise<Outcome<OperationView>> {
    const refusal = mergedOf(refused);
    if (isWhole && this.#isWithoutEffect(refused)) return { ok: false, refusal };
    if (refusal.reason === 'operation_id_reused') {
      // The name is another operation's. Parts of this content can never stand.
      await this.#releaseIn(this.#members.filter((eventKey) => this.#seen.get(eventKey)));
      return { ok: false, refusal };
    }
    const aborted = await this.#ask(this.#home, { type: 'abort-operation', head, createdAt });
    if (!aborted.ok && isUncertain(aborted.refusal)) return done(this.#view());
    // Another copy of this call has held the operation.
    if (!aborted.ok) return aborted.refusal.reason === 'operation_stands' ? this.inspect() : aborted;
    await this.#releaseMembers();
    return { ok: false, refusal };
  }

  /**
   * Whether no event has a part, or knows the operation. Then no abort needs a record. A late copy of a member's
   * command may still hold a part: the catalog aborts the operation then.
   */
  #isWithoutEffect(refused: readonly EventRefusal[]): boolean {
    return this.#seen.size === 0 && !refused.some(([, refusal]) => isAboutOperation(refusal));
  }

  /** An action that the home has not done is refused for ever before its pins are taken back. */
  async #refuse(action: PartAction, refusal: Refusal): Promise<Outcome<OperationView>> {
    const isOther = refusal.reason === 'action_reused' || refusal.reason === otherEvents.refusal.reason;
    if (isUncertain(refusal) || isOther) return { ok: false, refusal };
    const { id: actionId, kind } = action;
    const decided = await this.#ask(this.#home, { type: 'refuse-action', id: this.#id, actionId });
    if (decided.ok) {
      await this.#unpin(decided.value, actionId);
      return { ok: false, refusal: kind === 'extend' ? notExtended(refusal) : refusal };
    }
    // Another copy of this call has brought the action to its decision.
    if (decided.refusal.reason === 'action_done') return this.resume();
    return isUncertain(decided.refusal) ? decided : { ok: false, refusal };
  }

  /**
   * Takes the pins of an action back. If the operation has ended meanwhile, its members release their parts instead,
   * and a pin ends with its part.
   */
  async #unpin(home: PartStanding, actionId: string): Promise<void> {
    if (home.state === 'held') await this.#toMembers({ type: 'unpin-part', id: this.#id, actionId });
    else if (home.state !== 'booked') await this.#releaseMembers();
  }

  /** Whether a member waits for something that `isSettled` does not show: a pin, or a part of an ended operation. */
  #livesOn(): boolean {
    const isHomeHeld = stateOfPart(this.#seen.get(this.#home)) === 'held';
    return this.#members.some((eventKey) => {
      const state = stateOfPart(this.#seen.get(eventKey));
      return state === 'pinned' || (state === 'held' && !isHomeHeld);
    });
  }

  async #goOn(): Promise<void> {
    const home = this.#seen.get(this.#home)!;
    if (home === null) {
      const aborted = await this.#abort();
      if (aborted.ok) await this.#releaseMembers();
      return;
    }
    switch (home.state) {
      case 'aborted':
      case 'released':
      case 'expired':
        return this.#releaseMembers();
      case 'booked':
        if (home.action) await this.#toMembers(this.#booking(home.action.id, home.action.bookingRef ?? ''));
        return;
      case 'held':
      case 'pinned':
        return this.#goOnWithPins(home);
    }
  }

  async #goOnWithPins(home: PartStanding, action = this.#pinnedFor(() => true)): Promise<void> {
    if (!action) return;
    const { id: actionId, kind, bookingRef } = action;
    if (kind === 'extend' && home.lastExtend === actionId) {
      await this.#toMembers(this.#extension(actionId, home.expiresAt));
      return;
    }
    // Pins that a dead coordinator left out are made up for. Only a refused pin ends the booking.
    if (kind === 'book' && !home.refused.includes(actionId)) {
      const pinned = await this.#pin(action);
      if (!pinned.ok && isUncertain(pinned.refusal)) return;
      const booking = this.#booking(actionId, bookingRef ?? '');
      const decided = pinned.ok ? await this.#ask(this.#home, booking) : pinned;
      if (decided.ok) return this.#toMembers(booking);
      if (pinned.ok && decided.refusal.reason !== 'action_taken') return;
    }
    const decided = await this.#ask(this.#home, { type: 'refuse-action', id: this.#id, actionId });
    if (decided.ok) await this.#unpin(decided.value, actionId);
  }

  /** The first member is pinned alone: two actions on one operation meet there, and one of them is refused. */
  async #pin(action: PartAction): Promise<Outcome<null>> {
    const command = { type: 'pin-part' as const, id: this.#id, action, actsUntil: this.#ports.now() + actsMs };
    const pinIn = async (eventKey: string, assumed?: readonly string[]): Promise<Outcome<PartStanding>> => {
      const pinned = await this.#ask(eventKey, assumed ? { ...command, eventKeys: assumed } : command);
      if (pinned.ok) this.#seen.set(eventKey, pinned.value);
      return pinned;
    };
    const [first, ...others] = this.#members;
    if (first === undefined) return done(null);
    const { isAssumed, eventKeys } = this.#ref;
    const alone = await pinIn(first, isAssumed ? eventKeys : undefined);
    if (!alone.ok) return isAssumed && alone.refusal.code === 'hold_not_found' ? otherEvents : alone;
    const refusals = (await Promise.all(others.map((eventKey) => pinIn(eventKey)))).flatMap((each) =>
      each.ok ? [] : [each],
    );
    // An uncertain pin keeps the action open: nothing is decided against it.
    return refusals.find(({ refusal }) => isUncertain(refusal)) ?? refusals[0] ?? done(null);
  }

  /** An extension under way is ended first: it must not cost the hold its booking. */
  async #pinToBook(action: PartAction): Promise<Outcome<null>> {
    const pinned = await this.#pin(action);
    if (pinned.ok || pinned.refusal.reason !== 'other_action') return pinned;
    await this.#look();
    const home = this.#seen.get(this.#home);
    const rival = this.#pinnedFor(({ id }) => id !== action.id);
    if (home?.state !== 'held' || rival?.kind !== 'extend') return pinned;
    await this.#goOnWithPins(home, rival);
    return this.#pin(action);
  }

  /** The first such action that has pinned a member. */
  #pinnedFor(isSuch: (action: PartAction) => boolean): PartAction | undefined {
    const pinned = this.#members.flatMap((eventKey) => {
      const part = this.#seen.get(eventKey);
      return part?.state === 'pinned' ? (part.action ?? []) : [];
    });
    return pinned.find(isSuch);
  }

  #booking(actionId: string, bookingRef: string): Command & { type: 'book-part' } {
    return { type: 'book-part', id: this.#id, actionId, bookingRef };
  }

  #extension(actionId: string, expiresAt: number): Command & { type: 'extend-part' } {
    return { type: 'extend-part', id: this.#id, actionId, expiresAt };
  }

  /** The consequence of a decision. */
  async #toMembers(command: Command & { type: 'book-part' | 'extend-part' | 'unpin-part' }): Promise<void> {
    await Promise.all(
      this.#members.map(async (eventKey) => {
        const told = await this.#ask(eventKey, command);
        if (told.ok) this.#seen.set(eventKey, told.value);
      }),
    );
  }

  #releaseMembers(): Promise<void> {
    return this.#releaseIn(this.#members);
  }

  async #releaseIn(eventKeys: readonly string[]): Promise<void> {
    await Promise.all(eventKeys.map((eventKey) => this.#ask(eventKey, { type: 'release-part', id: this.#id })));
  }

  /** The home has no part. The head is a member's. */
  async #abort(): Promise<Outcome<PartStanding>> {
    const part = [...this.#seen.values()].find((each) => each?.head);
    if (!part?.head) return unknownOperation;
    return this.#ask(this.#home, { type: 'abort-operation', head: part.head, createdAt: part.createdAt });
  }

  async #look(eventKeys: readonly string[] = this.#ref.eventKeys) {
    return Promise.all(
      eventKeys.map(async (eventKey) => {
        const told = await this.#ask(eventKey, { type: 'inspect-operation', id: this.#id });
        this.#seen.set(eventKey, told.ok ? told.value.part : undefined);
        return told;
      }),
    );
  }

  #ask<C extends Command>(eventKey: string, command: C): Promise<Outcome<Answers[C['type']]>> {
    return this.#ports.ask(eventKey, command, this.#caller, this.#deadlineAt);
  }

  #view(): OperationView {
    return viewOf(
      this.#ref,
      this.#ref.eventKeys.map((eventKey) => this.#seen.get(eventKey)),
    );
  }
}

/** Whether the hold has been extended by this action, or would not get longer. It has used up no renewal then. */
function isLongEnough(home: SeenPart, actionId: string, expiresAt: number): boolean {
  if (home?.state !== 'held' || home.lastExtend === actionId) return home?.lastExtend === actionId;
  const end = Math.min(expiresAt, home.createdAt + holdTtlMsMax);
  return home.extends < holdExtendsMax && end <= home.expiresAt;
}

type Parts = ReadonlyMap<string, SeenPart>;

/** The home's refusal of its price, told of all events. Any other refusal stays as it is. */
function ofAllEvents(refusal: Refusal, { eventKeys }: Pick<OperationRef, 'eventKeys'>, members: Parts): Refusal {
  if (refusal.code !== 'price_changed' || !refusal.details) return refusal;
  const { items, total, expectedTotal, currency, priceUnit } = refusal.details as Parameters<typeof priceChanged>[0];
  const allocations = eventKeys.map((eventKey, index) => {
    return { eventKey, items: index === 0 ? items : itemsOf(members.get(eventKey)) };
  });
  const rest = totalOfItems(itemsIn(members));
  const { refusal: whole } = priceChanged({
    items: allocations.flatMap((each) => each.items),
    total: total + rest,
    expectedTotal: expectedTotal + rest,
    currency,
    priceUnit,
  });
  return { ...whole, details: { ...whole.details, allocations } };
}

function itemsOf(part: SeenPart): LineItem[] {
  return part && 'items' in part ? part.items : [];
}

function itemsIn(parts: Parts): LineItem[] {
  return [...parts.values()].flatMap(itemsOf);
}

/**
 * The price of an operation. The members hold first, and a part keeps its prices. So the home decides about the total
 * with its own part: at the rest that the members leave.
 *
 * The part of `expectedTotal` (with all fees) that is left for the home. Undefined for any price.
 */
function restOfTotal(expectedTotal: number | undefined, members: Parts): number | undefined {
  return expectedTotal === undefined ? undefined : expectedTotal - totalOfItems(itemsIn(members));
}

function termsOf(expectedTotal: number | undefined): HoldTerms {
  return expectedTotal === undefined ? {} : { expectedTotal };
}
