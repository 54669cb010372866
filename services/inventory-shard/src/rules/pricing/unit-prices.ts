/**
 * The price of a unit, decided when the unit is held, or booked without a hold. The first price that applies counts:
 * the ticket release that a box-office operator chose; the unit's channel, which uses no quota; the first active ticket
 * release that is sold here, fits the category and has a unit left in its quota; the price of the tier or the category.
 */
import type { Category } from '@parterre/shared/charts/document';
import { categoryOf, labelsOf } from '@parterre/shared/charts/plan';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Channel, Line, TicketRelease } from '@parterre/shared/protocol/records';
import type { Hold, ReadState } from '../state/state.ts';
import { unitsBack } from './ticket-release-use.ts';
import { isTiered, releaseNamed, ticketReleaseStatus } from './ticket-releases.ts';

/**
 * The ticket release under which the next unit of this category is sold, or null. Each call takes a unit from the
 * quota.
 */
export type NextTicketRelease = (category: Category) => TicketRelease | null;

/** The time, the ticket release that an operator chose, and the replaced hold, whose share of a quota is free. */
export type PriceTerms = { now: number; releaseId?: string; replaced?: Readonly<Hold> | undefined };

const none: Outcome<NextTicketRelease> = done(() => null);

/** For the units of one call. The counts are local: the state is only read. */
export function releasesFor(state: ReadState, { now, releaseId, replaced }: PriceTerms): Outcome<NextTicketRelease> {
  if (releaseId !== undefined) {
    // An operator may choose a ticket release outside the time in which buyers can.
    const chosen = releaseNamed(state.releases, releaseId);
    if (!chosen) return badRelease('The event has no ticket release with this id.');
    return chosen.action === 'buy'
      ? done(nextOf(state, [chosen], replaced))
      : badRelease('Only ticket releases with the action "buy" can be sold here.');
  }
  if (state.releases.length === 0) return none;
  const isSelling = (release: TicketRelease): boolean =>
    release.action === 'buy' && ticketReleaseStatus(state.plan, release, now) === 'active';
  return done(nextOf(state, state.releases.filter(isSelling), replaced));
}

function nextOf(state: ReadState, selling: TicketRelease[], replaced: Readonly<Hold> | undefined): NextTicketRelease {
  const left = selling.map((release) => unitsLeft(state, release, replaced));
  return (category) => {
    const i = selling.findIndex((release, nth) => left[nth]! > 0 && fits(release, category));
    if (i < 0) return null;
    left[i]!--;
    return selling[i]!;
  };
}

/** The units of a replaced hold are free for this call. */
function unitsLeft(state: ReadState, { id, quota }: TicketRelease, replaced: Readonly<Hold> | undefined): number {
  if (quota === null) return Number.POSITIVE_INFINITY;
  const back = replaced ? unitsBack(state, replaced, id) : 0;
  return quota - (state.releaseUse.get(id)?.consumed ?? 0) + back;
}

function fits({ categoryKey }: TicketRelease, category: Category): boolean {
  return !isTiered(category) && (categoryKey === null || categoryKey === category.key);
}

/** The channel's own price for this category or tier, undefined without one. */
export type ChannelPrices = (channel: Channel, categoryKey: string, tierId: string | null) => number | undefined;

/** For the units of one call. Most units have the price of the unit before, so the last result is kept. */
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

/** Refuses the sale if a unit could not be sold under the ticket release that the operator chose. */
export function checkSoldUnder(state: ReadState, lines: Line[], releaseId: string): Outcome<Line[]> {
  const others = lines.filter((line) => line.releaseId !== releaseId);
  if (others.length === 0) return done(lines);
  const release = releaseNamed(state.releases, releaseId)!;
  const misfits = others.filter(({ unit }) => !fits(release, categoryOf(state.plan, unit)));
  if (misfits.length > 0)
    return badRelease(
      'The chosen ticket release does not price these units.',
      labelsOf(
        state.plan,
        misfits.map(({ unit }) => unit),
      ),
    );
  const left = lines.length - others.length;
  const remaining = `${left} ${left === 1 ? 'unit' : 'units'} left`;
  const message = `The ticket release "${release.name}" has ${remaining}. Nothing was booked.`;
  const conflicts = others.map(({ unit }) => ({ label: state.plan.labels.at(unit), status: 'sold_out' }));
  return refuse('conflict', message, { reason: 'release_sold_out', details: { conflicts } });
}

function badRelease(message: string, labels?: string[]): Outcome<never> {
  const issues = [{ path: 'releaseId', message }];
  return refuse('invalid_request', message, { details: { issues, ...(labels && { labels }) } });
}
