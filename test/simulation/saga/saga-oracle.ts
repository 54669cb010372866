/**
 * The promises of operations over several events, checked at every group of every journal. The oracle reads the records
 * alone, and calls no rule of the product.
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { SagaEvent, SagaGroup } from './saga-event.ts';

type State = 'held' | 'pinned' | 'booked' | 'released' | 'expired' | 'aborted';
export type OraclePart = {
  state: State;
  units: number[];
  holdId: string | null;
  action: string | null;
  ref: string | null;
};
export type OracleOperation = {
  eventKeys: string[];
  parts: Map<string, OraclePart>;
  refused: Set<string>;
  /** The ends at which parts expired. */
  ends: Set<number>;
};

const isLive = (part: OraclePart | undefined): boolean => part?.state === 'held' || part?.state === 'pinned';

export class SagaOracle {
  readonly operations = new Map<string, OracleOperation>();
  /** Exchanges over events: tries whose units are pinned, and tries that the other event has refused or taken. */
  readonly pins = new Set<string>();
  readonly #refusedTries = new Set<string>();
  readonly #takenTries = new Set<string>();
  /** By event: the hold or booking that has each unit. */
  readonly #holders = new Map<string, Map<number, string>>();

  /** Throws at the first broken promise. */
  take(event: SagaEvent, group: SagaGroup): void {
    for (const record of group.records) this.#record(event.key, group, record);
  }

  holderOf(eventKey: string, unit: number): string | undefined {
    return this.#holders.get(eventKey)?.get(unit);
  }

  /** The events in which the holder has units, once for each unit. */
  placesOf(holder: string): string[] {
    return [...this.#holders].flatMap(([eventKey, holders]) =>
      [...holders.values()].filter((each) => each === holder).map(() => eventKey),
    );
  }

  get exchanged(): number {
    return this.#takenTries.size;
  }

  get refusedTries(): number {
    return this.#refusedTries.size;
  }

  #record(eventKey: string, group: SagaGroup, record: JournalRecord): void {
    switch (record.type) {
      case 'held':
        for (const { unit } of record.lines) this.#move(eventKey, unit, undefined, record.holdId);
        break;
      case 'part-held':
        this.#held(eventKey, record.head, record.holdId);
        break;
      case 'operation-aborted':
        this.#aborted(eventKey, record.head);
        break;
      case 'action-refused': {
        const operation = this.operations.get(record.id)!;
        const home = this.#home(operation);
        must(!(home?.state === 'booked' && home.action === record.actionId), 'a booking was refused after it was made');
        operation.refused.add(record.actionId);
        break;
      }
      case 'part-pinned': {
        const part = this.#part(record.id, eventKey);
        must(part.state === 'held', `a part that is ${part.state} was pinned`);
        Object.assign(part, { state: 'pinned', action: record.action.id });
        break;
      }
      case 'part-unpinned': {
        const part = this.#part(record.id, eventKey);
        must(part.state === 'pinned', `a part that is ${part.state} was unpinned`);
        Object.assign(part, { state: 'held', action: null });
        break;
      }
      case 'booked':
        for (const { unit } of record.lines) {
          this.#move(eventKey, unit, record.holdId ?? undefined, record.bookingRef);
        }
        if (record.operation) this.#booked(eventKey, group, record.operation.id, record);
        break;
      case 'released':
      case 'expired':
        for (const unit of record.units) this.#move(eventKey, unit, record.holdId, undefined);
        if (record.operation) this.#ended(eventKey, group, record.operation.id, record);
        break;
      case 'exchange-pinned':
        for (const unit of record.units) {
          must(this.holderOf(eventKey, unit) === record.bookingRef, 'a unit of another holder was pinned');
        }
        must(!this.#refusedTries.has(record.pinId) || !this.#takenTries.has(record.pinId), 'a try ended in two ways');
        this.pins.add(record.pinId);
        break;
      case 'exchange-unpinned':
        must(this.#refusedTries.has(record.pinId), 'a pin went before its try was refused');
        this.pins.delete(record.pinId);
        break;
      case 'exchange-refused':
        must(!this.#takenTries.has(record.pinId), 'a try was refused after it had taken');
        this.#refusedTries.add(record.pinId);
        break;
      case 'exchanged-with':
        if (record.other?.side === 'from') {
          must(this.pins.has(record.callId), 'units were taken without a pin');
          must(!this.#refusedTries.has(record.callId), 'a refused try took units');
          this.#takenTries.add(record.callId);
        } else {
          must(this.#takenTries.has(record.callId), 'units were given before the other event had taken');
          this.pins.delete(record.callId);
        }
        for (const { unit } of record.lines) this.#move(eventKey, unit, undefined, record.bookingRef);
        for (const unit of record.units) this.#move(eventKey, unit, record.bookingRef, undefined);
        break;
      case 'unbooked':
        for (const unit of record.units) this.#move(eventKey, unit, record.bookingRef, undefined);
        break;
      default:
    }
  }

  /** I1: a unit goes from its only holder to another. */
  #move(eventKey: string, unit: number, from: string | undefined, to: string | undefined): void {
    const holders = this.#holders.get(eventKey) ?? new Map<number, string>();
    this.#holders.set(eventKey, holders);
    must(holders.get(unit) === from, `${eventKey}, unit ${unit}: ${holders.get(unit)} has it, not ${from}`);
    if (to === undefined) holders.delete(unit);
    else holders.set(unit, to);
  }

  #held(eventKey: string, { id, eventKeys }: { id: string; eventKeys: string[] }, holdId: string): void {
    const operation = this.#operation(id, eventKeys);
    must(!operation.parts.has(eventKey), 'an event held twice for one operation');
    const holders = this.#holders.get(eventKey)!;
    const units = [...holders].filter(([, holder]) => holder === holdId).map(([unit]) => unit);
    operation.parts.set(eventKey, { state: 'held', units, holdId, action: null, ref: null });
    if (eventKey !== eventKeys[0]) return;
    for (const member of eventKeys.slice(1))
      must(isLive(operation.parts.get(member)), 'the home held without a member');
  }

  #aborted(eventKey: string, { id, eventKeys }: { id: string; eventKeys: string[] }): void {
    const operation = this.#operation(id, eventKeys);
    must(eventKey === eventKeys[0], 'a member aborted');
    must(!operation.parts.has(eventKey), 'the home aborted what it had held');
    operation.parts.set(eventKey, { state: 'aborted', units: [], holdId: null, action: null, ref: null });
  }

  #booked(eventKey: string, _group: SagaGroup, id: string, record: JournalRecord & { type: 'booked' }): void {
    const operation = this.operations.get(id)!;
    const part = this.#part(id, eventKey);
    const action = record.operation!.actionId ?? '';
    must(isLive(part), `a part that is ${part.state} was booked`);
    Object.assign(part, { state: 'booked', action, ref: record.bookingRef });
    const home = this.#home(operation)!;
    if (part === home) {
      must(!operation.refused.has(action), 'the home booked for an action that it had refused');
      for (const [key, member] of operation.parts) {
        if (member === home) continue;
        const isPinned = member.state === 'pinned' && member.action === action;
        must(isPinned, `the home booked, and ${key} is ${member.state}`);
      }
    } else must(home.state === 'booked' && home.action === action, 'a member booked alone');
  }

  #ended(
    eventKey: string,
    group: SagaGroup,
    id: string,
    record: JournalRecord & { type: 'released' | 'expired' },
  ): void {
    const operation = this.operations.get(id)!;
    const part = this.#part(id, eventKey);
    const home = this.#home(operation);
    if (record.type === 'expired') {
      must(part.state === 'held', `a part that is ${part.state} expired`);
      must(group.at >= record.expiresAt, 'a part expired early');
      operation.ends.add(record.expiresAt);
    } else if (part !== home) {
      must(home !== undefined && !isLive(home) && home.state !== 'booked', 'a member was released without its home');
    }
    part.state = record.type;
  }

  #operation(id: string, eventKeys: string[]): OracleOperation {
    const known = this.operations.get(id);
    if (known) {
      must(known.eventKeys.join() === eventKeys.join(), 'two records name other events for one operation');
      return known;
    }
    const operation = { eventKeys, parts: new Map(), refused: new Set<string>(), ends: new Set<number>() };
    this.operations.set(id, operation);
    return operation;
  }

  #home({ eventKeys, parts }: OracleOperation): OraclePart | undefined {
    return parts.get(eventKeys[0]!);
  }

  #part(id: string, eventKey: string): OraclePart {
    return this.operations.get(id)!.parts.get(eventKey)!;
  }
}

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
