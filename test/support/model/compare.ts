/** Compares answers and states of the real rules with the reference. Orders that no rule defines are ignored. */
import type { EventView } from '@parterre/shared/protocol/answers';
import type { Answer } from '@parterre/shared/protocol/commands';
import { unitStatus } from '@parterre/shared/protocol/records';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { differenceOfBooks, isSame, ordered, refusedOf } from './books.ts';
import { shownAvailability } from './reference/availability.ts';
import { inspect as inspectHold, isLongOver } from './reference/holds.ts';
import { read } from './reference/releases.ts';
import type { Prediction, World } from './reference/world.ts';

/** Null, or a difference. `groups` is the number of groups in the journal when the command was decided. */
export function differenceOfAnswers(told: Prediction, answer: Answer, groups: number): string | null {
  if (answer.kind === 'refused') {
    const is = refusedOf(answer.refusal);
    if (!told.ok && told.refused.some((each) => isSame(each, is))) return null;
    return `predicted ${JSON.stringify(told)}, was refused ${JSON.stringify(is)}`;
  }
  if (answer.kind !== 'ok') return `answered ${answer.kind}`;
  if (!told.ok) return `predicted ${JSON.stringify(told)}, was answered ${JSON.stringify(answer.value)}`;
  const is = answer.value as object;
  const predicted = withVersion(told, is, groups);
  return covers(is, predicted) ? null : `predicted ${JSON.stringify(predicted)}, was answered ${JSON.stringify(is)}`;
}

/**
 * Adds the facts that only the journal has: the number of the group, and the time of a change of chart without effect.
 */
function withVersion({ answer, isNews }: Prediction & { ok: true }, is: object, groups: number): object {
  if ('updated' in answer && !isNews && 'at' in is) return { ...answer, at: is.at };
  if (!('version' in answer) || !('counts' in answer) || answer.version !== 0) return answer;
  // A move answers with the number of its own group, a count with the number of groups before it.
  if ('holdTtlMs' in answer) return { ...answer, version: groups };
  return Object.assign(isNews ? answer : {}, { ...answer, version: groups + 1 });
}

/**
 * Reports, channels and charts tell more than the reference predicts. Every other answer equals the prediction in every
 * field.
 */
function covers(is: object, predicted: unknown): boolean {
  if (isSame(is, predicted)) return true;
  if (!('byStatus' in is || 'channel' in is || 'buckets' in is || 'updated' in is)) return false;
  const told = is as Record<string, unknown>;
  return Object.entries(predicted as object).every(([key, value]) => isSame(without(told[key]), value));
}

/** Drops names from the chart, which the reference does not repeat. */
function without(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map(({ sectionLabel: _, label: __, ...rest }) => rest);
}

/** Null, or the first visible difference of the states. `isAtEnd` also compares ended holds. */
export function differenceOfStates(world: World, state: EventState, isAtEnd: boolean): string | null {
  const difference = differenceOfBooks(world, state);
  if (difference !== null) return difference;
  const { answer } = decide(state, { type: 'releases' }, looker, world.now) as { answer: object };
  if (!isSame(answer, read(world)))
    return `the releases are ${JSON.stringify(answer)}, predicted ${JSON.stringify(read(world))}`;
  const rules = decide(state, { type: 'availability' }, looker, world.now) as { answer: object };
  if (!isSame(rules.answer, shownAvailability(world))) {
    return `the availability is ${JSON.stringify(rules.answer)}, predicted ${JSON.stringify(shownAvailability(world))}`;
  }
  return differenceOfOffers(world, state) ?? differenceOfHolds(world, state, isAtEnd);
}

const looker = { source: 'server', actor: null, accessSource: 'public' } as const;

/** Compares the statuses of listed seats that viewers see. */
function differenceOfOffers(world: World, state: EventState): string | null {
  const { answer } = decide(state, { type: 'view' }, looker, world.now) as { answer: EventView };
  const { labels } = state.plan;
  const offered = answer.offered?.units.map((unit, i) => `${labels.at(unit)} ${answer.offered!.statuses[i]}`) ?? [];
  const predicted = world.listings.flatMap((listing) =>
    listing.labels.map((label) => `${label} ${listing.heldBy === null ? unitStatus.free : unitStatus.held}`),
  );
  return isSame(offered, predicted) ? null : `viewers are offered ${offered}, predicted ${predicted}`;
}

function differenceOfHolds(world: World, state: EventState, isAtEnd: boolean): string | null {
  for (const hold of world.holds) {
    const looksNow = isAtEnd ? !isLongOver(world, hold) : hold.status === 'active';
    if (!looksNow) continue;
    const command = { type: 'inspect-hold', holdId: hold.id } as const;
    const decision = decide(state, command, looker, world.now);
    const is = decision.ok ? decision.answer : decision.refusal;
    const told = inspectHold(world, command);
    if (told.ok && isSame(told.answer, is)) continue;
    return `hold ${hold.id} is ${JSON.stringify(ordered(is))}, predicted ${JSON.stringify(ordered(told))}`;
  }
  return null;
}
