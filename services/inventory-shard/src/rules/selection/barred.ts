/** Refusals over what channels keep from a caller who names it: the seats by their labels, or areas that have free places for others alone. */
import type { Selection } from '@parterre/shared/commands';
import { type Outcome, refuse } from '@parterre/shared/errors';
import { unitStatus } from '@parterre/shared/records';
import { isIn, isPausedIn, type Pool, paused } from '../reach/reach.ts';
import { type EventState, owns } from '../state/state.ts';
import { areaNamed, everyPlace } from './labels.ts';
import type { Findings, Terms } from './selection.ts';

/** Units named that channels keep from the caller: one who runs the event hears so, a buyer only of a pause of what is his to have. */
export function barredFrom(
  state: EventState,
  selections: Selection[],
  pool: Pool,
  { caller, replaced }: Terms,
): Outcome<never> | null {
  const [denied, stopped]: [string[], string[]] = [[], []];
  for (const { label } of selections) {
    const unit = state.plan.labels.unitOf(label);
    if (unit === undefined || isIn(pool, unit) || (replaced && owns(state, replaced, unit))) continue;
    if (isPausedIn(pool, unit)) stopped.push(label);
    else if (caller.source !== 'buyer') denied.push(label);
  }
  return barredOver(denied, stopped);
}

function barredOver(denied: string[], stopped: string[]): Outcome<never> | null {
  if (denied.length > 0) {
    const why = 'These seats are of private channels: name the channels in channelIds, or override them with a reason.';
    return refuse('channel_access_denied', why, { details: { labels: denied } });
  }
  return stopped.length > 0 ? paused(stopped) : null;
}

/** Areas that have free places, all of which channels keep from a caller who runs the event. O(places), for a call that is refused anyway. */
export function barredFromAreas(
  { plan, statuses }: EventState,
  { caller, pool, conflicts }: Findings,
): Outcome<never> | null {
  if (pool === null || caller.source === 'buyer') return null;
  const [denied, stopped]: [string[], string[]] = [[], []];
  for (const { label, available } of conflicts) {
    const area = available === 0 ? areaNamed(plan, label) : null;
    if (!area) continue;
    const free = everyPlace(area).filter((unit) => statuses[unit] === unitStatus.free);
    if (free.some((unit) => isIn(pool, unit))) continue;
    if (free.some((unit) => isPausedIn(pool, unit))) stopped.push(label);
    else if (free.length > 0) denied.push(label);
  }
  return barredOver(denied, stopped);
}
