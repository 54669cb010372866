/**
 * What a unit is sold for, decided unit by unit when it is held, or booked without a hold. The first of these that applies:
 * the release that a box-office operator chose; the price of the unit's channel, which uses no quota; the first active release of the
 * list that is sold here, fits the category and has a unit left in its quota; the tier or the category.
 */
import type { Category } from '@parterre/shared/chart/document';
import { categoryOf, labelsOf } from '@parterre/shared/chart/plan';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { Channel, Line, Release } from '@parterre/shared/records';
import type { Terms } from '../selection/selection.ts';
import { type EventState, type Hold, ownedLines } from '../state/state.ts';
import { isTiered, releaseNamed, statusOf } from './ticket-releases.ts';

/** The release under which the next unit of this category is sold, which takes it from its quota; null without one. */
export type NextRelease = (category: Category) => Release | null;

const none: Outcome<NextRelease> = done(() => null);

/** For the units of one call. What it counts is its own: the state is only read. */
export function releasesFor(state: EventState, { now, releaseId, replaced }: Terms): Outcome<NextRelease> {
  if (releaseId !== undefined) {
    // An operator's choice, whenever the release is sold to buyers.
    const chosen = releaseNamed(state.releases, releaseId);
    if (!chosen) return badRelease('The event has no such release.');
    return chosen.action === 'buy'
      ? done(nextOf(state, [chosen], replaced))
      : badRelease('This release sells nothing here.');
  }
  if (state.releases.length === 0) return none;
  const isSelling = (release: Release): boolean =>
    release.action === 'buy' && statusOf(state.plan, release, now) === 'active';
  return done(nextOf(state, state.releases.filter(isSelling), replaced));
}

function nextOf(state: EventState, selling: Release[], replaced: Hold | undefined): NextRelease {
  const left = selling.map((release) => unitsLeft(state, release, replaced));
  return (category) => {
    const i = selling.findIndex((release, nth) => left[nth]! > 0 && fits(release, category));
    if (i < 0) return null;
    left[i]!--;
    return selling[i]!;
  };
}

/** Units of the hold that gives way to this call are free for it. */
function unitsLeft(state: EventState, { id, quota }: Release, replaced: Hold | undefined): number {
  if (quota === null) return Number.POSITIVE_INFINITY;
  const back = replaced ? ownedLines(state, replaced).filter(({ releaseId }) => releaseId === id).length : 0;
  return quota - (state.releaseUse.get(id)?.consumed ?? 0) + back;
}

function fits({ categoryKey }: Release, category: Category): boolean {
  return !isTiered(category) && (categoryKey === null || categoryKey === category.key);
}

/** What a channel asks of its own units of this category, or of this tier of it. */
export type ChannelPrices = (channel: Channel, categoryKey: string, tierId: string | null) => number | undefined;

/** For the units of one call, most of which are priced as the one before: what was found last is not looked for again. */
export function channelPrices(): ChannelPrices {
  let last: { channel: Channel; categoryKey: string; tierId: string | null; price: number | undefined } | null = null;
  return (channel, categoryKey, tierId) => {
    if (last?.channel !== channel || last.categoryKey !== categoryKey || last.tierId !== tierId) {
      const found = channel.priceOverrides.find((each) => each.categoryKey === categoryKey && each.tierId === tierId);
      last = { channel, categoryKey, tierId, price: found?.price };
    }
    return last.price;
  };
}

/** Whether every unit was sold under the release that the operator chose. */
export function checkSoldUnder(state: EventState, lines: Line[], releaseId: string): Outcome<Line[]> {
  const others = lines.filter((line) => line.releaseId !== releaseId);
  if (others.length === 0) return done(lines);
  const release = releaseNamed(state.releases, releaseId)!;
  const misfits = others.filter(({ unit }) => !fits(release, categoryOf(state.plan, unit)));
  if (misfits.length > 0)
    return badRelease(
      'This release does not price these units.',
      labelsOf(
        state.plan,
        misfits.map(({ unit }) => unit),
      ),
    );
  const left = lines.length - others.length;
  const message = `${release.name} has ${left} ${left === 1 ? 'unit' : 'units'} left; nothing was booked.`;
  const conflicts = others.map(({ unit }) => ({ label: state.plan.labels.at(unit), status: 'sold_out' }));
  return refuse('conflict', message, { reason: 'release_sold_out', details: { conflicts } });
}

function badRelease(message: string, labels?: string[]): Outcome<never> {
  const issues = [{ path: 'releaseId', message }];
  return refuse('invalid_request', message, { details: { issues, ...(labels && { labels }) } });
}
