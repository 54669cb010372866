/**
 * Moves an event to another version of its chart, or to another chart. A unit of the old chart and a unit of the new
 * chart are the same if they have the same label and are sold in the same way (places.ts). Held, booked and reserved
 * units must exist on the new chart; places of an area may take other numbers there (renumbering.ts). They keep their
 * frozen price, tier and guests, even if their label has another category or price there. A block stays on units that
 * still exist and ends with units that vanish. Additional units of the new chart are free. The event stays on the
 * latest version of its chart that it has seen: an older version changes nothing. A call names the chart that it moves
 * the event from, so a late publish of a chart that the event has left changes nothing.
 *
 * Every unit may be asked for its place, so the decision is made in steps. The state does not change meanwhile.
 */

import { categoryOf, labelsOf, objectIdOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import { droppedScopes } from '@parterre/shared/charts/scopes';
import type { ChartPreview, ChartUpdateAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import { type PriceUnit, unitOf } from '@parterre/shared/protocol/money';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { isLocked, isMutable, lockedRefusal } from '../event/lifecycle.ts';
import type { Steps } from '../packed/packed.ts';
import { externalRefsOf } from '../reach/attribution.ts';
import { byOf, countsOf, type Decision, type ReadState } from '../state/state.ts';
import {
  assignmentsWouldDrop,
  type ChartUpdated,
  droppedOfChannels,
  namedDropped,
  toldOfDropped,
} from './dropped-channels.ts';
import { gone, lookUpsPerStep, type PlaceOf, placesOn } from './places.ts';
import { type Renumbered, renumber, toldOfRenumbered } from './renumbering.ts';
import { movedLines } from './replan.ts';

/** `plan` is the plan that the command names. */
export function* updateChart(
  state: ReadState,
  command: Command & { type: 'update-chart' },
  caller: Caller,
  plan: Plan,
  now: number,
): Steps<Decision<'update-chart'>> {
  const { callId, planHash, chartVersion, reason = null } = command;
  const { chartVersion: versionBefore = 0, chartId = command.fromChart } = state.config;
  if (chartId !== command.fromChart) return chartChanged();
  const { chartId: chartAfter = chartId } = command;
  const isOther = chartAfter !== chartId;
  // Two publishes may reach the event in any order. The event never goes back to the older version. A publish that
  // changes nothing is no news for a locked event; a call is refused all the same. An archived event is refused as
  // archived.
  const isLatest = !isOther && isMutable(state) && chartVersion <= versionBefore;
  if (isLatest && (command.onlyIfIdle || !isLocked(state)))
    return { ok: true, records: [], answer: updatedAnswer(state, false, state.at) };
  if (isLocked(state) && !command.isPreview) return lockedRefusal(state);
  if (command.from !== undefined && command.from !== state.config.planHash) return chartChanged();
  if (plan.priceUnit !== null && plan.priceUnit !== unitOf(state.config)) return otherUnit(plan.priceUnit);
  const scopes = droppedScopes(plan, Object.keys(state.availability.rules), state.sectionStates);
  if (command.onlyIfIdle) {
    const refusal = notIdle(state, scopes);
    if (refusal) return refusal;
  }
  const { of: labelled } = yield* placesOn(plan, state.plan);
  const vanishing = yield* takenUnits(state, (unit) => labelled(unit) === gone);
  // A front door that names no chart is older than renumbered places.
  const mayRenumber = chartAfter === undefined ? [] : vanishing;
  const { renumbered, placeOf } = yield* renumber(state, plan, labelled, mayRenumber);
  const missing = vanishing.filter((unit) => hasHolder(state, unit) && placeOf(unit) === gone);
  if (missing.length > 0 && !command.isPreview) return seatsWouldVanish(state.plan, missing);
  const dropped = yield* droppedOfChannels(state, plan, labelled);
  const moved = yield* takenUnits(state, (unit) => isMoved(state.plan, plan, unit, placeOf(unit)));
  const look = { missing, moved, renumbered, placeOf, dropped };
  if (command.isPreview) return previewOf(state, plan, look);
  if (dropped.droppedAssignments && !(command.acknowledgeDroppedAssignments && reason !== null))
    return assignmentsWouldDrop(state.plan, dropped.droppedAssignments);
  if (moved.length > 0 && !(command.acknowledgeMoved && reason !== null)) return seatsWouldMove(state, plan, look);
  const named = { planHash, chartVersion, ...(scopes.length > 0 && { droppedScopes: scopes }), ...dropped };
  const move = { ...named, callId, reason, ...(renumbered && { renumbered }) };
  const decision = yield* movedTo(state, plan, placeOf, move, caller, now);
  if (!decision.ok) return decision;
  const by = byOf(caller);
  const more: JournalRecord[] = renumbered ? yield* renumberedRecords(state, renumbered, callId, by) : [];
  if (isOther || (renumbered && more.length === 0))
    more.unshift({ type: 'chart-set', callId, chartId: chartAfter!, by });
  return { ...decision, records: [...decision.records, ...more] };
}

/** Of each booking with places that have other numbers now. */
function* renumberedRecords(
  state: ReadState,
  { from, to }: Renumbered,
  callId: string,
  by: JournalRecord['by'],
): Steps<JournalRecord[]> {
  const places = new Map(from.map((unit, nth) => [unit, to[nth]!]));
  const slots = new Set(from.map((unit) => state.slotOf[unit]!));
  const records: JournalRecord[] = [];
  let steps = 0;
  for (const { ref, slot, accessSource, lines } of state.bookings.values()) {
    if (++steps % lookUpsPerStep === 0) yield;
    if (!slots.has(slot)) continue;
    const own = lines.filter(({ unit }) => places.has(unit) && state.slotOf[unit] === slot);
    if (own.length === 0) continue;
    const labels = own.map(({ unit }) => state.plan.labels.at(unit));
    const moved = movedLines(own, (unit) => places.get(unit) ?? gone);
    const exchangeId = derivedId('exc', state.config.eventId, callId, ref);
    const channelRefs = externalRefsOf(state, own);
    const sale = { bookingRef: ref, exchangeId, accessSource, ...(channelRefs && { channelRefs }) };
    records.push({ type: 'renumbered', callId, ...sale, labels, lines: moved, by });
  }
  return records;
}

/** Units of the plan before; `placeOf` gives their places on the plan after. */
type Look = {
  missing: number[];
  moved: number[];
  renumbered: Renumbered | null;
  placeOf: PlaceOf;
  dropped: Pick<ChartUpdated, 'droppedAssignments'>;
};

/** The unit of an event never changes. */
function otherUnit(unit: PriceUnit): { ok: false; refusal: Refusal } {
  const message = `The prices of the chart are in ${unit} units, and those of the event are not. Nothing was changed.`;
  return refuse('invalid_request', message, { details: { issues: [{ path: 'chartId', message }] } });
}

function seatsWouldVanish(plan: Plan, missing: readonly number[]): { ok: false; refusal: Refusal } {
  const isOfArea = missing.some((unit) => objectOf(plan, unit).type === 'gaArea');
  const way = isOfArea ? ' An area needs as many places as are held, booked and reserved.' : '';
  const why =
    'The new chart lacks seats that are held, booked or reserved. Nothing was changed. Put the missing seats back into ' +
    `the chart, or free them first.${way}`;
  return refuse('seats_would_vanish', why, {
    details: {
      missingLabels: labelsOf(plan, missing.slice(0, missingLabelsMax)),
      missingCount: missing.length,
    },
  });
}

/** The front door tells both places of each label. */
function seatsWouldMove(state: ReadState, plan: Plan, look: Look): { ok: false; refusal: Refusal } {
  const why =
    'The new chart has seats that are held, booked, blocked or reserved at another place, or in another section, ' +
    'category or kind. Nothing was changed. To move them, repeat the call with acknowledgeMoved and a reason.';
  return refuse('seats_would_move', why, { details: movesOf(state, plan, look) });
}

function movesOf(
  { plan: before }: ReadState,
  after: Plan,
  { moved, renumbered, placeOf }: Look,
): Pick<ChartPreview, 'moved' | 'movedTo' | 'movedCount'> {
  const units = moved.slice(0, missingLabelsMax);
  const places = units.map(placeOf);
  const labels = { moved: labelsOf(before, units), movedCount: moved.length };
  return renumbered ? { ...labels, movedTo: labelsOf(after, places) } : labels;
}

/** Whether a label means another seat, or a seat of another section, category or kind, on the plan after. */
function isMoved(before: Plan, after: Plan, unit: number, place: number): boolean {
  if (place === gone) return false;
  const sectionOf = (plan: Plan, of: number): string => plan.sections[objectOf(plan, of).section]!.id;
  return (
    before.accessibilityOfUnit[unit] !== after.accessibilityOfUnit[place] ||
    categoryOf(before, unit).key !== categoryOf(after, place).key ||
    objectIdOf(before, unit) !== objectIdOf(after, place) ||
    sectionOf(before, unit) !== sectionOf(after, place)
  );
}

function previewOf(state: ReadState, plan: Plan, look: Look): Decision<'update-chart'> {
  const { missing, renumbered, dropped } = look;
  const preview = {
    vanishing: labelsOf(state.plan, missing.slice(0, missingLabelsMax)),
    vanishingCount: missing.length,
    ...movesOf(state, plan, look),
    ...toldOfRenumbered(state.plan, plan, renumbered),
    droppedAssignments: namedDropped(state.plan, dropped.droppedAssignments ?? []),
  };
  return { ok: true, records: [], answer: { ...updatedAnswer(state, false, state.at), preview } };
}

export function chartChanged(): { ok: false; refusal: Refusal } {
  return refuse('conflict', 'The chart of this event has changed. Read the event again and repeat the call.', {
    reason: 'chart_changed',
  });
}

/** The reason why the event does not follow a publish by itself, or null. */
function notIdle(state: ReadState, dropped: readonly string[]): { ok: false; refusal: Refusal } | null {
  if (dropped.length > 0) {
    return refuse(
      'conflict',
      'The new chart lacks sections or zones that this event hides or closes. Their seats would open. Remove these rules first, or put the sections back.',
      {
        reason: 'scopes_would_drop',
        details: { droppedScopes: dropped },
      },
    );
  }
  if (state.plan.adjusted) {
    return refuse('conflict', 'This event has a chart of its own. Update its chart by a call.', {
      reason: 'event_adjusted',
    });
  }
  const { held, booked, blocked } = countsOf(state);
  if (held + booked + blocked > 0) {
    return refuse('conflict', 'Seats of this event are held, booked or blocked. Update its chart by a call.', {
      reason: 'event_in_use',
    });
  }
  if (state.channels.assigned === 0) return null;
  return refuse('conflict', 'Seats of this event are assigned to channels. Update its chart by a call.', {
    reason: 'private_allocations',
  });
}

type Move = Omit<ChartUpdated, 'type' | 'from' | 'seatTotal' | 'unblocked' | 'by'>;

/** The move itself. The caller has checked that every held and booked unit is on `plan`. */
export function* movedTo(
  state: ReadState,
  plan: Plan,
  placeOf: PlaceOf,
  move: Move,
  caller: Caller,
  now: number,
): Steps<Decision<'update-chart'>> {
  const { planHash: from } = state.config;
  const { unitCount: seatTotal } = plan;
  const { held, booked, blocked } = countsOf(state);
  const unblocked = yield* takenUnits(state, (unit) => isBlocked(state, unit) && placeOf(unit) === gone);
  const record: ChartUpdated = {
    type: 'chart-updated',
    ...move,
    from,
    seatTotal,
    by: byOf(caller),
    ...(unblocked.length > 0 && { unblocked }),
  };
  const stay = blocked - unblocked.length;
  const counts = { free: seatTotal - held - booked - stay, held, booked, blocked: stay };
  const { planHash, chartVersion } = move;
  const answer = { updated: true, planHash, chartVersion, seatTotal, counts, at: now };
  const told = { ...toldOfDropped(state.plan, record), ...toldOfRenumbered(state.plan, plan, move.renumbered) };
  return { ok: true, records: [record], answer: { ...answer, ...told } };
}

/** The units that are not free and pass `isMeant`, in their order. */
export function* takenUnits(state: ReadState, isMeant: (unit: number) => boolean): Steps<number[]> {
  const { statuses, counts } = state;
  const units: number[] = [];
  let left = statuses.length - counts[unitStatus.free];
  for (let unit = 0; left > 0; unit++) {
    if (statuses[unit] === unitStatus.free) continue;
    if (isMeant(unit)) units.push(unit);
    if (--left % lookUpsPerStep === 0) yield;
  }
  return units;
}

export function hasHolder({ slotOf }: ReadState, unit: number): boolean {
  return slotOf[unit] !== 0;
}

function isBlocked({ statuses }: ReadState, unit: number): boolean {
  return statuses[unit] === unitStatus.blocked;
}

/** The answer to the call, from the state after the call. */
export function updatedAnswer(state: ReadState, updated: boolean, at: number): ChartUpdateAnswer {
  const { planHash, chartVersion } = state.config;
  const { unitCount: seatTotal } = state.plan;
  return { updated, planHash, chartVersion: chartVersion!, seatTotal, counts: countsOf(state), at };
}
