/**
 * Refusals because of channels: for seats that a caller names by label, and for areas whose free places all belong to
 * channels outside the caller's reach.
 */
import type { Caller, Selection } from '@parterre/shared/protocol/commands';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { unitStatus } from '@parterre/shared/protocol/records';
import { isIn, isPausedIn, type ReachMask } from '../reach/masks.ts';
import { paused } from '../reach/reach.ts';
import { hasUnit, type ReadState } from '../state/state.ts';
import { areaNamed, everyPlace } from './labels.ts';
import type { Findings, Terms } from './terms.ts';

/** A refusal if channels keep named units from the caller. It names all of these units, or else the paused ones. */
export function barredFrom(
  state: ReadState,
  selections: Selection[],
  mask: ReachMask,
  { caller, replaced }: Terms,
): Outcome<never> | null {
  const [denied, stopped]: [string[], string[]] = [[], []];
  for (const { label } of selections) {
    const unit = state.plan.labels.unitOf(label);
    if (unit === undefined || isIn(mask, unit) || (replaced && hasUnit(state, replaced, unit))) continue;
    if (isPausedIn(mask, unit)) stopped.push(label);
    else denied.push(label);
  }
  return barredOver(caller, denied, stopped);
}

const whyDenied = {
  buyer: 'These seats are sold through channels that your session does not have. Choose other seats.',
  other: 'These seats are assigned to channels. Name the channels in channelIds, or override them with a reason.',
};

function barredOver({ source }: Caller, denied: string[], stopped: string[]): Outcome<never> | null {
  if (denied.length > 0) {
    const why = source === 'buyer' ? whyDenied.buyer : whyDenied.other;
    return refuse('channel_access_denied', why, { details: { labels: denied } });
  }
  return stopped.length > 0 ? paused(stopped) : null;
}

/**
 * A refusal if an area has free places and channels keep all of them from a server or operator. O(places), for a call
 * that is refused anyway.
 */
export function barredFromAreas(
  { plan, statuses }: ReadState,
  { caller, mask, conflicts }: Findings,
): Outcome<never> | null {
  if (mask === null || caller.source === 'buyer') return null;
  const [denied, stopped]: [string[], string[]] = [[], []];
  for (const { label, available } of conflicts) {
    const area = available === 0 ? areaNamed(plan, label) : null;
    if (!area) continue;
    const free = everyPlace(area).filter((unit) => statuses[unit] === unitStatus.free);
    if (free.some((unit) => isIn(mask, unit))) continue;
    if (free.some((unit) => isPausedIn(mask, unit))) stopped.push(label);
    else if (free.length > 0) denied.push(label);
  }
  return barredOver(caller, denied, stopped);
}
