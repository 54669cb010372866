/**
 * Books places that an older system has sold. Each sale stands alone: a sale that cannot stand gets a code, and the
 * others are booked. An import goes on while sales are closed, and takes the sale as it was: its price is the price
 * that was paid, no ticket release counts it, and a companion place may stand alone. Webhooks tell nothing of these
 * bookings.
 *
 * States of a piece of an import: unknown → done, once. Its `callId` and fingerprint name the piece for a day
 * (turn/named-calls.ts), so a repetition gets the first codes, also after a place was sold or cancelled meanwhile (I5).
 * An import that is sent again under another name books nothing twice either: a place that its reference has stands,
 * and `nth` counts the places of an area under one reference. Nothing is awaited here.
 */
import { categoryOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { AreaClaim, Caller, Command, ImportedSale } from '@parterre/shared/protocol/commands';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { unitStatus } from '@parterre/shared/protocol/records';
import { tierOf } from '../pricing/pricing.ts';
import { areaNamed } from '../selection/selection.ts';
import { channelOf, type Decision, isFree, type ReadState } from '../state/state.ts';
import { booked } from './book.ts';

type Code = Answers['import-bookings']['faults'][number]['code'];

type Judged = { fault: Code } | { line: Line } | 'stands';

export function importBookings(
  state: ReadState,
  { sales, callId, dryRun, claims = [] }: Command & { type: 'import-bookings' },
  caller: Caller,
): Decision<'import-bookings'> {
  const judge = new SaleJudge(state, sales, claims);
  const faults: Answers['import-bookings']['faults'] = [];
  const groups = new Map<string, { sale: ImportedSale; lines: Line[] }>();
  for (const [at, sale] of sales.entries()) {
    const judged = judge.judge(sale);
    if (judged === 'stands') continue;
    if ('fault' in judged) {
      faults.push({ at, code: judged.fault });
      continue;
    }
    const key = JSON.stringify([sale.bookingRef, sale.buyerRef]);
    const group = groups.get(key);
    if (group) group.lines.push(judged.line);
    else groups.set(key, { sale, lines: [judged.line] });
  }
  if (dryRun) return { ok: true, records: [], answer: { faults, claims: judge.claims() } };
  const records = [...groups.values()].map((group) => recordOf(state, group, callId, caller));
  return { ok: true, records, answer: { faults } };
}

function recordOf(
  state: ReadState,
  { sale: { bookingRef, buyerRef }, lines }: { sale: ImportedSale; lines: Line[] },
  callId: string,
  caller: Caller,
): JournalRecord {
  const buyer = buyerRef === undefined ? caller : { ...caller, buyerRef };
  groupAreas(state.plan, lines);
  const sale = booked(state, { bookingRef, callId }, null, lines, buyer);
  const [record] = sale.records as [JournalRecord & { type: 'booked' }];
  return { ...record, imported: true };
}

/** Places of an area that one reference has at one price are one line item, which the lowest of them names. */
function groupAreas(plan: Plan, lines: Line[]): void {
  lines.sort((one, other) => one.unit - other.unit);
  const groups = new Map<string, number>();
  for (const line of lines) {
    if (line.group === undefined) continue;
    const key = `${plan.objectOfUnit[line.unit]} ${line.price} ${line.tierId} ${line.channelId}`;
    const first = groups.get(key) ?? line.unit;
    groups.set(key, first);
    line.group = first;
  }
}

/** Judges the sales of one call in their order. A place that a sale of the call takes is taken for the others. */
class SaleJudge {
  readonly #state: ReadState;
  readonly #taken = new Map<number, string>();
  /** Places that sales of the call name by their own labels. */
  readonly #named = new Set<number>();
  /** By area and channel: no place before this unit is free for the channel. */
  readonly #cursors = new Map<string, number>();
  /** By reference and area: the places that the reference has there. */
  readonly #had = new Map<string, number>();

  /** By area and channel: the places that the sales take there. */
  readonly #claims = new Map<string, AreaClaim>();

  constructor(state: ReadState, sales: readonly ImportedSale[], claims: readonly AreaClaim[]) {
    this.#state = state;
    const { labels } = state.plan;
    // An area gives no place that the call names itself.
    for (const { label } of sales) {
      const unit = labels.unitOf(label);
      if (unit !== undefined) this.#named.add(unit);
    }
    for (const { label, channelId, count } of claims) {
      const area = state.plan.areaByLabel.get(label);
      for (let left = area === undefined ? 0 : count; left > 0; left--) {
        const unit = this.#nextPlace(area!, channelId);
        if (unit === undefined) break;
        this.#taken.set(unit, '');
      }
    }
  }

  judge(sale: ImportedSale): Judged {
    const { plan, channels } = this.#state;
    if (sale.channelId !== undefined && !channels.byId.has(sale.channelId)) return { fault: 'channel_not_found' };
    const area = areaNamed(plan, sale.label);
    if (area) return this.#placeOf(sale, plan.areaByLabel.get(sale.label)!);
    const unit = plan.labels.unitOf(sale.label);
    return unit === undefined ? { fault: 'label_not_found' } : this.#unitOf(sale, unit);
  }

  #unitOf(sale: ImportedSale, unit: number): Judged {
    const { statuses, slotOf, bookings } = this.#state;
    if (statuses[unit] === unitStatus.booked) {
      const isOwn = bookings.get(sale.bookingRef)?.slot === slotOf[unit];
      return isOwn ? 'stands' : { fault: 'seat_booked' };
    }
    if (!isFree(this.#state, unit)) {
      return { fault: statuses[unit] === unitStatus.held ? 'seat_held' : 'seat_not_for_sale' };
    }
    const takenBy = this.#taken.get(unit);
    if (takenBy !== undefined) return takenBy === sale.bookingRef ? 'stands' : { fault: 'seat_booked' };
    if (!this.#isOf(unit, sale.channelId)) return { fault: 'channel_differs' };
    const line = this.#lineOf(sale, unit);
    if (!line) return { fault: 'seat_not_for_sale' };
    this.#taken.set(unit, sale.bookingRef);
    return { line };
  }

  #placeOf(sale: ImportedSale, area: number): Judged {
    const key = JSON.stringify([sale.bookingRef, area]);
    const had = this.#had.get(key) ?? this.#placesHad(sale.bookingRef, area);
    this.#had.set(key, had);
    if (had >= (sale.nth ?? Number.POSITIVE_INFINITY)) return 'stands';
    const unit = this.#nextPlace(area, sale.channelId);
    if (unit === undefined) return { fault: 'area_full' };
    const line = this.#lineOf(sale, unit);
    if (!line) return { fault: 'seat_not_for_sale' };
    this.#taken.set(unit, sale.bookingRef);
    this.#had.set(key, had + 1);
    this.#claim(sale);
    return { line: { ...line, group: unit } };
  }

  claims(): AreaClaim[] {
    return [...this.#claims.values()];
  }

  #claim({ label, channelId }: ImportedSale): void {
    const key = JSON.stringify([label, channelId]);
    const claim = this.#claims.get(key) ?? { label, ...(channelId !== undefined && { channelId }), count: 0 };
    claim.count++;
    this.#claims.set(key, claim);
  }

  /** The places that were taken by the label of the area. A place that was named by its own label has no group. */
  #placesHad(bookingRef: string, area: number): number {
    const { bookings, plan } = this.#state;
    const lines = bookings.get(bookingRef)?.lines ?? [];
    return lines.filter(({ unit, group }) => group !== undefined && plan.objectOfUnit[unit] === area).length;
  }

  /** The lowest place that is free: of the channel or of public sale first, then of any channel where none is named. */
  #nextPlace(area: number, channelId: string | undefined): number | undefined {
    const own = this.#firstFree(area, channelId, (unit) => channelOf(this.#state, unit)?.id === channelId);
    if (own !== undefined) return own;
    const isLeft = (unit: number): boolean => channelId === undefined || channelOf(this.#state, unit) === undefined;
    return this.#firstFree(area, `${channelId} or`, isLeft);
  }

  #firstFree(area: number, cursor: string | undefined, isSuitable: (unit: number) => boolean): number | undefined {
    const { firstUnit, unitCount } = this.#state.plan.objects[area]!;
    const key = `${area} ${cursor}`;
    const end = firstUnit + unitCount;
    let unit = this.#cursors.get(key) ?? firstUnit;
    while (unit < end && !this.#isSpare(unit, isSuitable)) unit++;
    this.#cursors.set(key, unit);
    return unit < end ? unit : undefined;
  }

  #isSpare(unit: number, isSuitable: (unit: number) => boolean): boolean {
    return isFree(this.#state, unit) && !this.#taken.has(unit) && !this.#named.has(unit) && isSuitable(unit);
  }

  /** A sale through a channel is of a place of the channel, or of public sale. */
  #isOf(unit: number, channelId: string | undefined): boolean {
    const own = channelOf(this.#state, unit)?.id;
    return channelId === undefined || own === undefined || own === channelId;
  }

  /** Null for a category that is not for sale. */
  #lineOf({ price, channelId }: ImportedSale, unit: number): Line | null {
    const { plan } = this.#state;
    const object = objectOf(plan, unit);
    if (categoryOf(plan, unit).notForSale) return null;
    const tier = tierOf(plan, unit, null);
    const line: Line = { unit, price };
    if (tier !== null && typeof tier === 'object') line.tierId = tier.id;
    const channel = channelId ?? channelOf(this.#state, unit)?.id;
    if (channel !== undefined) line.channelId = channel;
    if (object.bookingMode !== 'individual') line.quantity = object.maxOccupancy;
    return line;
  }
}

const letters: Record<Code, string> = {
  label_not_found: 'l',
  seat_booked: 'b',
  seat_held: 'h',
  seat_not_for_sale: 'n',
  area_full: 'f',
  channel_not_found: 'c',
  channel_differs: 'd',
};
const stands = '-';

/** The answer as the event remembers it: a letter for each sale up to the last fault. */
export function codedFaults({ faults }: Answers['import-bookings']): string {
  const codes = new Array<string>((faults.at(-1)?.at ?? -1) + 1).fill(stands);
  for (const { at, code } of faults) codes[at] = letters[code];
  return codes.join('');
}

export function faultsIn(codes: string): Answers['import-bookings'] {
  const byLetter = new Map(Object.entries(letters).map(([code, letter]) => [letter, code as Code]));
  const faults = [...codes].flatMap((letter, at) => {
    const code = byLetter.get(letter);
    return code === undefined ? [] : [{ at, code }];
  });
  return { faults };
}
