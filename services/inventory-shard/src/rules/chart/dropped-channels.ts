/** The units and prices that channels lose when their event moves to a chart without them. */

import { labelsOf, type Plan } from '@parterre/shared/charts/plan';
import type { ChartUpdateAnswer, DroppedAssignments } from '@parterre/shared/protocol/answers';
import { type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { Steps } from '../packed/packed.ts';
import { isPriced } from '../pricing/pricing.ts';
import { channelNumbered, publicSale, type ReadState } from '../state/state.ts';
import { gone, lookUpsPerStep, type PlaceOf } from './places.ts';

export type ChartUpdated = JournalRecord & { type: 'chart-updated' };
type Dropped = Pick<ChartUpdated, 'droppedAssignments' | 'droppedPrices'>;
type DroppedUnits = NonNullable<Dropped['droppedAssignments']>;

/** In the form of the record. */
export function* droppedOfChannels(state: ReadState, plan: Plan, placeOf: PlaceOf): Steps<Dropped> {
  const droppedAssignments = yield* droppedUnits(state, placeOf);
  const droppedPrices = [...state.channels.byId.values()]
    .map(({ id: channelId, priceOverrides }) => {
      return { channelId, priceOverrides: priceOverrides.filter((each) => !isPriced(plan, each)) };
    })
    .filter(({ priceOverrides }) => priceOverrides.length > 0);
  return {
    ...(droppedAssignments.length > 0 && { droppedAssignments }),
    ...(droppedPrices.length > 0 && { droppedPrices }),
  };
}

function* droppedUnits({ channels }: ReadState, placeOf: PlaceOf): Steps<DroppedUnits> {
  const byChannel = new Map<string, number[]>();
  const { of, assigned } = channels;
  for (let unit = 0, left = of ? assigned : 0; left > 0; unit++) {
    if (of![unit] === publicSale) continue;
    if (--left % lookUpsPerStep === 0) yield;
    const channel = channelNumbered(channels, of![unit]!);
    if (!channel || placeOf(unit) !== gone) continue;
    const units = byChannel.get(channel.id);
    if (units) units.push(unit);
    else byChannel.set(channel.id, [unit]);
  }
  return Array.from(byChannel, ([channelId, units]) => ({ channelId, units }));
}

export function assignmentsWouldDrop(plan: Plan, dropped: DroppedUnits): { ok: false; refusal: Refusal } {
  const message =
    'The new chart lacks seats that are assigned to channels. To drop them, repeat the ' +
    'call with acknowledgeDroppedAssignments and a reason.';
  return refuse('assignments_would_drop', message, { details: { droppedAssignments: namedDropped(plan, dropped) } });
}

/** In the form of the answer. `plan` is the plan before the move. */
export function toldOfDropped(
  plan: Plan,
  { droppedScopes, droppedAssignments, droppedPrices }: ChartUpdated,
): Pick<ChartUpdateAnswer, 'droppedScopes' | 'droppedAssignments' | 'droppedPrices'> {
  return {
    ...(droppedScopes && { droppedScopes }),
    ...(droppedAssignments && { droppedAssignments: namedDropped(plan, droppedAssignments) }),
    ...(droppedPrices && { droppedPrices }),
  };
}

export function namedDropped(plan: Plan, dropped: DroppedUnits): DroppedAssignments[] {
  let left = missingLabelsMax;
  return dropped.map(({ channelId, units }) => {
    const labels = labelsOf(plan, units.slice(0, left));
    left -= labels.length;
    return { channelId, count: units.length, labels };
  });
}

/** A long answer is remembered with its counts and without its labels. */
export function withoutLabels<T extends Pick<ChartUpdateAnswer, 'droppedAssignments' | 'renumbered'>>(answer: T): T {
  const { droppedAssignments, renumbered } = answer;
  return {
    ...answer,
    ...(droppedAssignments && { droppedAssignments: droppedAssignments.map((each) => ({ ...each, labels: [] })) }),
    ...(renumbered && { renumbered: { ...renumbered, labels: [], to: [] } }),
  };
}
