/**
 * Properties after any history of one event (I1, I4, I6): counts add up, no unit has two holders, the units of a hold
 * or booking point back at it, a refusal changes nothing, and folding the journal or a snapshot gives the same state.
 * All hold across changes of the chart too, which lose no held or booked seat.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { type EventGroup, type JournalRecord, type UnitStatus, unitStatus } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divisionsOf, thresholdBaseOf } from '../../../../services/inventory-shard/src/rules/availability/divisions.ts';
import { hasUnitsLeft } from '../../../../services/inventory-shard/src/rules/availability/sold-out.ts';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/event-state.ts';
import { countsOf, heldLines } from '../../../../services/inventory-shard/src/rules/state/holding.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { withheldOf } from '../../../../services/inventory-shard/src/rules/state/units.ts';
import { apply, closeGroup, foldGroup } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import {
  capture,
  fromSnapshot,
  type Snapshot,
  toSnapshot,
} from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { applyConsequences, applyDue } from '../../../../services/inventory-shard/src/rules/turn/turn.ts';
import { history, planHash, resaleHistory, START, type Step } from '../../../support/inventory/histories.ts';
import { eventConfig, planNamed, planOfCommand, server, smallPlan } from '../../../support/inventory/house.ts';

const RUNS = 500;

/** Callers that name buyers, and one that names none. */
const named = [{ ...server, buyerRef: 'anna' }, server, { ...server, buyerRef: 'ben' }];

type Commit = Pick<EventGroup, 'at' | 'plan' | 'records'>;

function play(steps: Step[]): { state: EventState; journal: Commit[] } {
  const state = newState(eventConfig(), smallPlan);
  const journal: Commit[] = [];
  let now = START;
  const commit = (records: JournalRecord[]): void => {
    if (records.length === 0) return;
    journal.push({ at: now, plan: state.plan.hash, records });
    closeGroup(state, journal.length);
  };
  for (const [at, step] of steps.entries()) {
    now += step.passMs;
    const caller = named[at % named.length]!;
    commit(applyDue(state, now));
    const before = contentOf(state);
    const plan = planOfCommand(step.command);
    const decision = decide(state, step.command, caller, now, plan);
    // Deciding only reads; a refusal therefore changes nothing.
    expect(contentOf(state)).toEqual(before);
    if (!decision.ok) continue;
    const records = [...decision.records];
    for (const record of records) apply(state, record, now, plan);
    if (records.at(-1)?.type !== 'chart-updated') applyConsequences(state, now, records);
    commit(records);
  }
  return { state, journal };
}

function contentOf(state: EventState): Snapshot {
  return structuredClone(toSnapshot(capture(state)));
}

/** The facts that are maintained beside the state's own fields. */
function derivedOf({ divisions, thresholdBase, withheld }: EventState) {
  return { divisions, thresholdBase, withheld };
}

/** All that may have units: a unit has at most one of them. */
function ownersOf({ holds, bookings, offers }: EventState) {
  return [...holds.values(), ...bookings.values(), ...offers.live.values()];
}

function statusUnder(owner: ReturnType<typeof ownersOf>[number]): UnitStatus {
  if (!('kind' in owner)) return unitStatus.blocked;
  return owner.kind === 'hold' ? unitStatus.held : unitStatus.booked;
}

test('maintained facts about rules, section states and sales equal recomputed ones', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { state } = play(steps);
      const { plan, availability, sectionStates, statuses } = state;
      expect(derivedOf(state)).toEqual({
        divisions: divisionsOf(plan, availability.rules, sectionStates),
        thresholdBase: thresholdBaseOf(plan, availability.rules, statuses),
        withheld: withheldOf(plan, statuses),
      });
      if (state.soldOut) expect(hasUnitsLeft(state)).toBe(false);
    }),
    { numRuns: RUNS },
  );
});

test('counts add up, and every unit has exactly the holder that claims it', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { state } = play(steps);
      expect(state.counts.reduce((sum, count) => sum + count)).toBe(state.plan.unitCount);
      const all = ownersOf(state);
      const owners = new Map<number, number>();
      for (const owner of all) {
        for (const { unit } of heldLines(state, owner)) {
          // A listed unit in checkout belongs to its booking until it is sold.
          if (state.listingOf.get(unit)?.heldBy === owner.slot) continue;
          expect(owners.has(unit)).toBe(false);
          owners.set(unit, owner.slot);
          expect(state.statuses[unit]).toBe(statusUnder(owner));
        }
      }
      for (const [unit, status] of state.statuses.entries()) {
        if (status !== 3) expect(owners.has(unit)).toBe(status !== 0);
        expect(state.slotOf[unit]).toBe(owners.get(unit) ?? 0);
      }
      for (const { lines, slot } of state.offers.live.values())
        expect(lines.map(({ unit }) => owners.get(unit))).toEqual(lines.map(() => slot));
    }),
    { numRuns: RUNS },
  );
});

test('a listing has units of its booking, and at most one hold has the whole listing', () => {
  fc.assert(
    fc.property(resaleHistory, (steps) => {
      const { state } = play(steps);
      const units = [...state.listings.values()].flatMap((listing) => listing.units);
      expect(new Set(units)).toEqual(new Set(state.listingOf.keys()));
      expect(units).toHaveLength(state.listingOf.size);
      for (const listing of state.listings.values()) {
        const booking = state.bookings.get(listing.bookingRef)!;
        const holders = [...state.holds.values()].filter((hold) =>
          heldLines(state, hold).some(({ unit }) => listing.units.includes(unit)),
        );
        expect(holders.map(({ slot }) => slot)).toEqual(listing.heldBy === 0 ? [] : [listing.heldBy]);
        for (const unit of listing.units) {
          expect(state.listingOf.get(unit)).toBe(listing);
          expect([state.slotOf[unit], state.statuses[unit]]).toEqual([booking.slot, 2]);
          for (const { lines } of holders) expect(lines.some((line) => line.unit === unit)).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('the use of a ticket release equals the count of its lines', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { state } = play(steps);
      const sold = new Map<string, number>();
      for (const owner of ownersOf(state)) {
        for (const { releaseId } of heldLines(state, owner)) {
          if (releaseId !== undefined) sold.set(releaseId, (sold.get(releaseId) ?? 0) + 1);
        }
      }
      for (const { id, quota } of state.releases) {
        const { consumed, soldOutAt } = state.releaseUse.get(id)!;
        expect(consumed).toBe(sold.get(id) ?? 0);
        expect(soldOutAt !== null).toBe(quota !== null && consumed >= quota);
        sold.delete(id);
      }
      // Removed ticket releases are known while they have units.
      const others = [...state.releaseUse].slice(state.releases.length);
      expect(others.map(([id, { consumed }]) => [id, consumed]).sort()).toEqual([...sold].sort());
    }),
    { numRuns: RUNS },
  );
});

/** The buyer of each booked unit, as the journal tells it, and the places of each buyer. */
function countedFrom(state: EventState, journal: readonly Commit[]) {
  const buyers = new Map<string, string | undefined>();
  let plan = smallPlan;
  for (const group of journal) {
    for (const record of group.records) {
      if (record.type === 'chart-updated') plan = planNamed(record.planHash);
      if (record.type !== 'booked' && record.type !== 'exchanged') continue;
      for (const { unit } of record.lines) buyers.set(`${record.bookingRef} ${plan.labels.at(unit)}`, record.buyerRef);
    }
  }
  const places = new Map<string, number>();
  for (const owner of ownersOf(state)) {
    for (const { unit, quantity = 1 } of heldLines(state, owner)) {
      const label = state.plan.labels.at(unit);
      const isHold = 'buyerRef' in owner;
      const buyer = isHold ? owner.buyerRef : buyers.get('ref' in owner ? `${owner.ref} ${label}` : '');
      if (buyer != null) places.set(buyer, (places.get(buyer) ?? 0) + quantity);
    }
  }
  return [...places].sort();
}

test('the places of a buyer are those of active holds and of bookings', () => {
  fc.assert(
    fc.property(fc.oneof(history, resaleHistory), (steps) => {
      const { state, journal } = play(steps);
      expect(state.buyers.counts().sort()).toEqual(countedFrom(state, journal));
      const resumed = fromSnapshot(contentOf(state), state.plan);
      expect(resumed.buyers.counts().sort()).toEqual(state.buyers.counts().sort());
    }),
    { numRuns: RUNS },
  );
});

test('an active hold has at least one unit; an ended hold has none', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { state } = play(steps);
      for (const hold of state.holds.values()) {
        expect(heldLines(state, hold).length > 0).toBe(hold.status === 'active');
      }
    }),
    { numRuns: RUNS },
  );
});

test('a fold gives the same state, so does a snapshot with the later records, and a capture keeps its own', () => {
  fc.assert(
    fc.property(history, fc.nat(), (steps, cut) => {
      const { state, journal } = play(steps);
      const folded = newState(eventConfig(), smallPlan);
      let resumed: EventState | null = null;
      let captured = capture(folded);
      let content = contentOf(folded);
      const snapshotAfter = journal.length === 0 ? 0 : cut % journal.length;
      for (const [i, group] of journal.entries()) {
        if (i === snapshotAfter) {
          captured = capture(folded);
          content = contentOf(folded);
          resumed = fromSnapshot(content, folded.plan);
        }
        foldGroup(folded, structuredClone(group), i + 1, planNamed(group.plan));
        expectFreed(folded, group.records);
        if (resumed) foldGroup(resumed, structuredClone(group), i + 1, planNamed(group.plan));
      }
      expect(contentOf(folded)).toEqual(contentOf(state));
      if (resumed) expect(contentOf(resumed)).toEqual(contentOf(state));
      expect(structuredClone(toSnapshot(captured))).toEqual(content);
      if (resumed) expect(derivedOf(resumed)).toEqual(derivedOf(state));
    }),
    { numRuns: RUNS },
  );
});

/** The units that holds gave up in the group folded last. They are free now, except those that the record keeps. */
function expectFreed(state: EventState, records: readonly JournalRecord[]): void {
  for (const record of records) {
    if (record.type !== 'released' && record.type !== 'expired') continue;
    const free = record.units.filter((unit) => state.statuses[unit] === 0);
    expect(free).toEqual(record.units.filter((unit) => !record.kept?.includes(unit)));
  }
}

test('every held, booked or reserved seat is on the new chart at the price it was sold for', () => {
  fc.assert(
    fc.property(history, planHash, (steps, to) => {
      const { state } = play(steps);
      const linesNow = () =>
        ownersOf(state).map((owner) => {
          const lines = heldLines(state, owner);
          return lines.map(({ unit, price, tierId, quantity }) => [
            state.plan.labels.at(unit),
            price,
            tierId,
            quantity,
          ]);
        });
      const before = linesNow();
      const plan = planNamed(to);
      const set = Object.keys(state.sectionStates).filter((scope) => state.sectionStates[scope] !== 'open');
      const dropped = new Set(
        [...Object.keys(state.availability.rules), ...set].filter((id) => !plan.scopeIds.has(id)),
      );
      const command: Command = {
        type: 'update-chart',
        acknowledgeMoved: true,
        reason: 'A new chart',
        callId: 'the last',
        planHash: to,
        chartVersion: 99,
      };
      const decision = decide(state, command, server, state.at, plan);
      const isMutable = state.status === 'active' || state.status === 'closed';
      const vanishing = before.flat().filter(([label]) => !plan.labels.has(label as string));
      const isLocked = state.parts.locks.size > 0;
      expect(decision.ok).toBe(isMutable && !isLocked && vanishing.length === 0);
      if (!decision.ok) return;
      for (const record of decision.records) apply(state, record, state.at, plan);
      expect(linesNow()).toEqual(before);
      expect(decision.answer).toEqual({
        updated: true,
        planHash: to,
        chartVersion: 99,
        seatTotal: plan.unitCount,
        counts: countsOf(state),
        at: state.at,
        ...(dropped.size > 0 && { droppedScopes: [...dropped].sort() }),
      });
    }),
    { numRuns: RUNS },
  );
});

test('a journal with a record of an unknown type is not folded', () => {
  const state = newState(eventConfig(), smallPlan);
  const records = [{ type: 'seats-renamed', by: { source: 'server', actor: null } }] as unknown as JournalRecord[];
  expect(() => foldGroup(state, { at: START, plan: smallPlan.hash, records }, 1, smallPlan)).toThrow('seats-renamed');
});
