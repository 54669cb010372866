/**
 * Assigns units to a channel or back to public sale. The caller names the version of the assignments that it has read,
 * so that the second of two simultaneous callers learns of the first. Free and blocked units move. Held and booked
 * units stay, and the answer names them. A unit that an offer has reserved counts as held.
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { AssignmentBuckets, LabelBucket } from '@parterre/shared/protocol/assignment-buckets';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { bucketLabelsMax } from '@parterre/shared/protocol/limits';
import { unitStatus } from '@parterre/shared/protocol/records';
import type { Steps } from '../packed/packed.ts';
import { areaNamed, eachOnce, everyPlace, labelsPerStep } from '../selection/selection.ts';
import {
  byOf,
  channelNumbered,
  channelNumberOf,
  type Decision,
  isOfOffer,
  publicSale,
  type ReadState,
} from '../state/state.ts';
import { targetOf } from './channel-calls.ts';

export function* assignChannel(
  state: ReadState,
  { callId, channelId, labels, assignmentVersion, reason }: Command & { type: 'assign-channel' },
  caller: Caller,
): Steps<Decision<'assign-channel'>> {
  const { version: present } = state.channels;
  if (assignmentVersion !== present) {
    return refuse(
      'channel_assignment_conflict',
      'The assignments have changed. Read the channels again and repeat the call with their assignmentVersion.',
      {
        details: { assignmentVersion: present },
      },
    );
  }
  const target = targetOf(state, channelId);
  if (!target.ok) return target;
  const { units, requested, buckets } = yield* sortInto(state, channelNumberOf(state.channels, channelId), labels);
  const version = present + (units.length > 0 ? 1 : 0);
  const by = byOf(caller);
  return {
    ok: true,
    records: [{ type: 'channels-assigned', callId, channelId, units, version, requested, buckets, reason, by }],
    answer: { assignmentVersion: version, requested, applied: units.length, buckets },
  };
}

type SortedUnits = { units: number[]; requested: number; buckets: AssignmentBuckets };

/**
 * `units` are the units that move. A unit counts once however often it is named, and an area's label names all of its
 * places. The buckets add up to `requested`.
 */
function* sortInto(state: ReadState, target: number, labels: readonly string[]): Steps<SortedUnits> {
  const { channels, statuses } = state;
  const { named, notFound } = yield* unitsAndUnknown(state, labels);
  const units: number[] = [];
  const [held, booked]: [number[], number[]] = [[], []];
  const movedFrom = new Map<number, number>();
  for (const unit of named) {
    const from = channels.of?.[unit] ?? publicSale;
    const status = statuses[unit];
    if (from === target) continue;
    if (status === unitStatus.held || isOfOffer(state, unit)) held.push(unit);
    else if (status === unitStatus.booked) booked.push(unit);
    else {
      units.push(unit);
      movedFrom.set(from, (movedFrom.get(from) ?? 0) + 1);
    }
  }
  const ofPublic = movedFrom.get(publicSale) ?? 0;
  const bucketOfUnits = (some: readonly number[]): LabelBucket =>
    bucketOf(some.length, labelsOf(state.plan, some.slice(0, bucketLabelsMax)));
  const buckets: AssignmentBuckets = {
    changedFromPublic: { count: ofPublic },
    movedFromOtherChannel: { count: units.length - ofPublic, channels: channelsIn(state, movedFrom) },
    alreadyInTarget: { count: named.length - units.length - held.length - booked.length },
    skippedHeld: bucketOfUnits(held),
    skippedBooked: bucketOfUnits(booked),
    notFound: bucketOf(notFound.size, [...notFound].slice(0, bucketLabelsMax)),
  };
  return { units, requested: named.length + notFound.size, buckets };
}

function* unitsAndUnknown(
  { plan }: ReadState,
  labels: readonly string[],
): Steps<{ named: number[]; notFound: Set<string> }> {
  const named: number[] = [];
  const notFound = new Set<string>();
  for (const [index, label] of labels.entries()) {
    if (index > 0 && index % labelsPerStep === 0) yield;
    const unit = plan.labels.unitOf(label);
    const area = unit === undefined ? areaNamed(plan, label) : null;
    if (unit !== undefined) named.push(unit);
    else if (area) for (const place of everyPlace(area)) named.push(place);
    else notFound.add(label);
  }
  return { named: eachOnce(plan, named), notFound };
}

/** In the order in which the channels were created. */
function channelsIn({ channels }: ReadState, movedFrom: ReadonlyMap<number, number>) {
  const numbers = [...movedFrom.keys()].filter((number) => number !== publicSale).sort((a, b) => a - b);
  return numbers.map((number) => {
    const { id: channelId, name } = channelNumbered(channels, number)!;
    return { channelId, name, count: movedFrom.get(number)! };
  });
}

function bucketOf(count: number, labels: string[]): LabelBucket {
  return { count, labels, truncated: count > labels.length };
}
