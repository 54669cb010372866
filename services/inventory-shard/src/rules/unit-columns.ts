/**
 * Every unit as it stands, with whoever has it and for how much: what the report is made of that has a line a unit. An answer is one
 * message, so that of a large event it takes several: each goes on from the unit that the one before ended at.
 */
import type { SoldTerms, UnitColumns } from '@parterre/shared/answers';
import { unitColumnsBytesMax } from '@parterre/shared/limits';
import type { Line } from '@parterre/shared/records';
import { type Booking, type EventState, type Hold, ownedLines } from './state.ts';

type Owner = UnitColumns['owners'][number];

/** What a unit takes in a message, one that somebody has takes beside, and a row of a table does; all estimated upwards. */
const unitBytes = 3;
const ownedUnitBytes = 10;
const rowBytes = 64;
/** A UTF-16 unit is at most this long in UTF-8. */
const textUnitBytes = 3;

/** Of the units `from` on: `most` of them, or as many as fit. */
export function unitColumns(state: EventState, from: number, most = state.plan.unitCount): UnitColumns {
  const end = Math.min(from + most, state.plan.unitCount);
  const owned = ownedFrom(state, from);
  const [owners, sold] = [new Table<Owner>(), new Table<SoldTerms>()];
  const [ownerOf, termsOf]: [number[], number[]] = [[], []];
  let unit = from;
  for (let bytes = 0; unit < end; unit++) {
    if (bytes + owners.bytes + sold.bytes >= unitColumnsBytesMax) break;
    const its = owned[unit - from];
    bytes += its ? unitBytes + ownedUnitBytes : unitBytes;
    ownerOf.push(its ? owners.indexOf(ownerNamed(its.owner)) : -1);
    termsOf.push(its ? sold.indexOf(termsIn(its.line)) : -1);
  }
  const { plan, version, config } = state;
  const statuses = state.statuses.slice(from, unit);
  const tables = { ownerOf, owners: owners.rows, termsOf, sold: sold.rows };
  return { planHash: plan.hash, version, currency: config.currency, from, statuses, ...tables };
}

/** By unit, counted from `from`. */
function ownedFrom(state: EventState, from: number): ({ owner: Hold | Booking; line: Line } | undefined)[] {
  const owned = new Array(Math.max(state.plan.unitCount - from, 0));
  const note = (owner: Hold | Booking): void => {
    for (const line of ownedLines(state, owner)) if (line.unit >= from) owned[line.unit - from] = { owner, line };
  };
  for (const hold of state.holds.active.values()) note(hold);
  for (const booking of state.bookings.values()) note(booking);
  return owned;
}

function ownerNamed(owner: Hold | Booking): Owner {
  return owner.kind === 'hold' ? { holdId: owner.id } : { bookingRef: owner.ref };
}

function termsIn({ unit: _unit, group: _group, ...terms }: Line): SoldTerms {
  return terms;
}

/** Rows by the order in which they came, alike ones once. */
class Table<Row extends object> {
  readonly rows: Row[] = [];
  bytes = 0;
  readonly #indexOf = new Map<string, number>();

  indexOf(row: Row): number {
    const key = JSON.stringify(row);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    this.#indexOf.set(key, this.rows.length);
    this.bytes += rowBytes + textUnitBytes * key.length;
    return this.rows.push(row) - 1;
  }
}
