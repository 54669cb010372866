/**
 * The list of ticket releases: setting all of it, closing one, showing it. A release that the chart has no category for any more,
 * or a tiered one, stays in the list and has ended for as long as that is so.
 */
import type { Answers, ReleaseView } from '@parterre/shared/answers';
import type { Category } from '@parterre/shared/chart/document';
import type { Plan } from '@parterre/shared/chart/plan';
import type { Caller, Command, ReleaseDraft } from '@parterre/shared/commands';
import { type Issue, refuse } from '@parterre/shared/errors';
import type { Release } from '@parterre/shared/records';
import { byOf, type Decision } from '../state/decision.ts';
import type { EventState } from '../state/state.ts';
import { useOf } from './ticket-release-use.ts';

/** All of the list, or all that is wrong with it. */
export function setReleases(
  state: EventState,
  { callId, releases: drafts }: Command & { type: 'set-releases' },
  caller: Caller,
  now: number,
): Decision<'set-releases'> {
  const issues = drafts.flatMap((draft, index) => issuesOf(state, draft, `releases.${index}`));
  if (issues.length > 0) {
    return refuse('invalid_request', 'This event cannot have these releases.', { details: { issues } });
  }
  const releases = drafts.map((draft) => releaseFrom(state, draft));
  return {
    ok: true,
    records: [{ type: 'releases-set', callId, releases, by: byOf(caller) }],
    answer: shown(state, releases, now),
  };
}

function issuesOf(state: EventState, draft: ReleaseDraft, path: string): Issue[] {
  const { id, isNew, categoryKey, startsAt, endsAt } = draft;
  const known = releaseNamed(state.releases, id);
  const issues: Issue[] = [];
  const say = (field: string, message: string) => issues.push({ path: `${path}.${field}`, message });
  if (!isNew && !known) say('id', 'The event has no such release.');
  const category = state.plan.categories.find(({ key }) => key === categoryKey);
  // A list that was read may be sent back as it is: another chart may have ended a release, and one that was closed before it began ends so.
  if (known?.categoryKey !== categoryKey) {
    if (categoryKey !== null && !category) say('categoryKey', 'The chart of the event has no such category.');
    if (category && isTiered(category)) say('categoryKey', 'A category with tiers has no releases.');
  }
  const isInOrder = startsAt === null || endsAt === null || startsAt < endsAt;
  if (!isInOrder && closedAtOf(state, draft) === null) say('endsAt', 'Must be after startsAt.');
  return issues;
}

function releaseFrom(state: EventState, { isNew: _, ...release }: ReleaseDraft): Release {
  return { ...release, closedAt: closedAtOf(state, release) };
}

/** A closed release is so until it is given another end. */
function closedAtOf(state: EventState, { id, endsAt }: Pick<Release, 'id' | 'endsAt'>): number | null {
  const known = releaseNamed(state.releases, id);
  return known && known.endsAt === endsAt ? known.closedAt : null;
}

/** Closing what is closed already changes nothing more, and is noted all the same. */
export function closeRelease(
  state: EventState,
  { callId, releaseId }: Command & { type: 'close-release' },
  caller: Caller,
  now: number,
): Decision<'close-release'> {
  if (!releaseNamed(state.releases, releaseId)) return refuse('not_found', 'This event has no such release.');
  return {
    ok: true,
    records: [{ type: 'release-closed', callId, releaseId, at: now, by: byOf(caller) }],
    answer: shown(state, withClosed(state.releases, releaseId, now), now),
  };
}

/** What has ended before keeps its end. */
export function withClosed(releases: readonly Release[], releaseId: string, at: number): Release[] {
  return releases.map((release) => {
    if (release.id !== releaseId || release.closedAt !== null) return release;
    return { ...release, endsAt: Math.min(release.endsAt ?? at, at), closedAt: at };
  });
}

/** A list of the event's, as it stands at `at`. */
export function shown(state: EventState, releases: readonly Release[], at: number): Answers['releases'] {
  return { releases: releases.map((release, position) => viewOf(state, release, position, at)) };
}

function viewOf(state: EventState, release: Release, position: number, at: number): ReleaseView {
  const { closedAt: _, ...told } = release;
  const { consumed, soldOutAt } = useOf(state, release, at);
  const remaining = release.quota === null ? null : Math.max(0, release.quota - consumed);
  return { ...told, position, consumed, remaining, soldOutAt, status: statusOf(state.plan, release, at) };
}

export function statusOf(plan: Plan, release: Release, at: number): ReleaseView['status'] {
  if (release.closedAt !== null) return 'closed';
  if ((release.endsAt !== null && release.endsAt <= at) || !hasCategory(plan, release)) return 'ended';
  return release.startsAt !== null && release.startsAt > at ? 'upcoming' : 'active';
}

function hasCategory({ categories }: Plan, { categoryKey }: Release): boolean {
  return categoryKey === null || categories.some((category) => category.key === categoryKey && !isTiered(category));
}

export function releaseNamed(releases: readonly Release[], id: string): Release | undefined {
  return releases.find((release) => release.id === id);
}

export function isTiered({ tiers }: Category): boolean {
  return tiers !== undefined && tiers.length > 0;
}
