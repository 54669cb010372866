/**
 * The list of ticket releases: replace the list, close one ticket release, show the list. A ticket release whose
 * category is missing from the chart, or has tiers, stays in the list and counts as ended until the chart fits again.
 */

import type { Category } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import type { Answers, ReleaseView } from '@parterre/shared/protocol/answers';
import type { Caller, Command, ReleaseDraft } from '@parterre/shared/protocol/commands';
import { type Issue, refuse } from '@parterre/shared/protocol/errors';
import { priceMaxIn, unitOf } from '@parterre/shared/protocol/money';
import type { JournalRecord, TicketRelease } from '@parterre/shared/protocol/records';
import {
  answerNoted,
  byOf,
  type CallRules,
  type Decision,
  type EventCall,
  type EventState,
  type Folds,
  isShort,
  type NamedCall,
  noteCall,
  type ReadState,
  type Reads,
} from '../state/state.ts';
import { keepReleases, useOf } from './ticket-release-use.ts';

export const ticketReleaseReads: Reads<'releases'> = {
  releases: (state, _, now) => {
    const opensAt = nextOpening(state);
    const { salesStartAt, salesEndAt, companionsUntil } = state.config;
    return {
      ...shown(state, state.releases, now),
      ...(opensAt !== null && { opensAt }),
      ...(salesStartAt !== undefined && { salesStartAt }),
      ...(salesEndAt !== undefined && { salesEndAt }),
      ...(companionsUntil !== undefined && { companionsUntil }),
    };
  },
};

/** The earliest known time at which units come on sale: a timed division opens, or a block ends. */
function nextOpening({ divisions: { nextReveal }, blockedUntil }: ReadState): number | null {
  let next = nextReveal ?? Number.POSITIVE_INFINITY;
  for (const at of blockedUntil.values()) if (at < next) next = at;
  return Number.isFinite(next) ? next : null;
}

export const ticketReleaseCalls: CallRules<'set-releases' | 'close-release'> = {
  'set-releases': { decide: setReleases, again: listAgain },
  'close-release': { decide: closeRelease, again: listAgain },
};

export const ticketReleaseFolds: Folds<'releases-set' | 'release-closed'> = {
  'releases-set'(state, record, at) {
    keepReleases(state, record.releases, at);
    noteListCall(state, record, at);
  },
  'release-closed'(state, record, at) {
    state.releases = withClosed(state.releases, record.releaseId, record.at);
    noteListCall(state, record, at);
  },
};

function listAgain(state: ReadState, noted: EventCall | NamedCall, now: number): Answers['releases'] {
  return (answerNoted(noted) as Answers['releases'] | null) ?? shown(state, state.releases, now);
}

/** Replaces the whole list, or refuses it with every fault. */
function setReleases(
  state: ReadState,
  { callId, releases: drafts }: Command & { type: 'set-releases' },
  caller: Caller,
  now: number,
): Decision<'set-releases'> {
  const issues = drafts.flatMap((draft, index) => issuesOf(state, draft, `releases.${index}`));
  if (issues.length > 0) {
    return refuse('invalid_request', 'The ticket releases have faults. The issues list them.', { details: { issues } });
  }
  const releases = drafts.map((draft) => releaseFrom(state, draft));
  return {
    ok: true,
    records: [{ type: 'releases-set', callId, releases, by: byOf(caller) }],
    answer: shown(state, releases, now),
  };
}

function issuesOf(state: ReadState, draft: ReleaseDraft, path: string): Issue[] {
  const { id, isNew, categoryKey, startsAt, endsAt, price, previousPrice } = draft;
  const priceMax = priceMaxIn(unitOf(state.config));
  const known = releaseNamed(state.releases, id);
  const issues: Issue[] = [];
  const say = (field: string, message: string) => issues.push({ path: `${path}.${field}`, message });
  if (!isNew && !known) say('id', 'The event has no ticket release with this id.');
  if (price > priceMax) say('price', `Must be at most ${priceMax}.`);
  if (previousPrice !== null && previousPrice > priceMax) say('previousPrice', `Must be at most ${priceMax}.`);
  const category = state.plan.categories.find(({ key }) => key === categoryKey);
  // A list may be sent back as it was read, even if another chart has ended a ticket release, or a ticket release was
  // closed before its start and therefore ends before it starts.
  if (known?.categoryKey !== categoryKey) {
    if (categoryKey !== null && !category) say('categoryKey', `The chart has no category "${categoryKey}".`);
    if (category && isTiered(category))
      say('categoryKey', 'The category has tiers. Ticket releases price categories without tiers.');
  }
  const isInOrder = startsAt === null || endsAt === null || startsAt < endsAt;
  if (!isInOrder && closedAtOf(state, draft) === null) say('endsAt', 'Must be after startsAt.');
  return issues;
}

function releaseFrom(state: ReadState, { isNew: _, ...release }: ReleaseDraft): TicketRelease {
  return { ...release, closedAt: closedAtOf(state, release) };
}

/** A closed ticket release stays closed until its end is changed. */
function closedAtOf(state: ReadState, { id, endsAt }: Pick<TicketRelease, 'id' | 'endsAt'>): number | null {
  const known = releaseNamed(state.releases, id);
  return known && known.endsAt === endsAt ? known.closedAt : null;
}

/** Closing a closed ticket release changes nothing, and is journaled all the same. */
function closeRelease(
  state: ReadState,
  { callId, releaseId }: Command & { type: 'close-release' },
  caller: Caller,
  now: number,
): Decision<'close-release'> {
  if (!releaseNamed(state.releases, releaseId))
    return refuse('not_found', 'The event has no ticket release with this id. GET its releases to read their ids.');
  return {
    ok: true,
    records: [{ type: 'release-closed', callId, releaseId, at: now, by: byOf(caller) }],
    answer: shown(state, withClosed(state.releases, releaseId, now), now),
  };
}

/** A ticket release that has ended already keeps its end. */
function withClosed(releases: readonly TicketRelease[], releaseId: string, at: number): TicketRelease[] {
  return releases.map((release) => {
    if (release.id !== releaseId || release.closedAt !== null) return release;
    return { ...release, endsAt: Math.min(release.endsAt ?? at, at), closedAt: at };
  });
}

/** Shows a list of ticket releases as it is at `at`. */
function shown(state: ReadState, releases: readonly TicketRelease[], at: number): Answers['releases'] {
  return { releases: releases.map((release, position) => viewOf(state, release, position, at)) };
}

function viewOf(state: ReadState, release: TicketRelease, position: number, at: number): ReleaseView {
  const { closedAt: _, ...told } = release;
  const { consumed, soldOutAt } = useOf(state, release, at);
  const remaining = release.quota === null ? null : Math.max(0, release.quota - consumed);
  return { ...told, position, consumed, remaining, soldOutAt, status: ticketReleaseStatus(state.plan, release, at) };
}

export function ticketReleaseStatus(plan: Plan, release: TicketRelease, at: number): ReleaseView['status'] {
  if (release.closedAt !== null) return 'closed';
  if ((release.endsAt !== null && release.endsAt <= at) || !hasCategory(plan, release)) return 'ended';
  return release.startsAt !== null && release.startsAt > at ? 'upcoming' : 'active';
}

function hasCategory({ categories }: Plan, { categoryKey }: TicketRelease): boolean {
  return categoryKey === null || categories.some((category) => category.key === categoryKey && !isTiered(category));
}

export function releaseNamed(releases: readonly TicketRelease[], id: string): TicketRelease | undefined {
  return releases.find((release) => release.id === id);
}

export function isTiered({ tiers }: Category): boolean {
  return tiers !== undefined && tiers.length > 0;
}

type ListRecord = JournalRecord & { type: 'releases-set' | 'release-closed' };

/** The call was answered with the list of ticket releases. A long list is not noted. */
function noteListCall(state: EventState, { callId }: ListRecord, at: number): void {
  const answer = shown(state, state.releases, at);
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : null });
}
