/** The events that a season can sell together. The refusal lists every fault, not only the first. Pure. */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonIssue, SourceGroup } from '@parterre/shared/protocol/catalog/seasons';
import { issueAt, memberIssues } from '../../lifecycles/rules/member-issues.ts';
import { seasonEventsMax, seasonEventsMin } from '../../store/rules/bounds.ts';

/** A group that a selection names: null where the caller's scope has no such group. */
export type NamedGroup = { key: string; group: SourceGroup | null; isActive: boolean };

/** `known` has the events within the caller's organisation and workspace, in any mode. */
export function issuesOf(
  eventKeys: readonly string[],
  known: ReadonlyMap<string, EventRecord>,
  groups: readonly NamedGroup[],
  scope: Pick<Scope, 'mode'>,
): SeasonIssue[] {
  const ofMembers = memberIssues(eventKeys, known, scope, { min: seasonEventsMin, max: seasonEventsMax });
  // An occurrence may be without a date.
  return [...groupIssues(groups), ...ofMembers.filter(({ code }) => code !== 'starts_at_missing')];
}

export function groupIssues(groups: readonly NamedGroup[]): SeasonIssue[] {
  return groups.flatMap(({ key, group, isActive }): SeasonIssue[] => {
    if (group && isActive) return [];
    const about = { ...issueAt('sourcePerformanceGroupKeys'), sourcePerformanceGroupKey: key };
    if (!group)
      return [{ code: 'performance_group_not_found', message: 'There is no such performance group.', ...about }];
    const message = 'The performance group is not active.';
    return [{ code: 'performance_group_not_active', message, ...about, remediation: 'Activate the group first.' }];
  });
}

/** The value of all events; null where they differ. */
export function sharedValue<T>(events: readonly EventRecord[], read: (event: EventRecord) => T): T | null {
  const [first, ...others] = events.map(read);
  return first !== undefined && others.every((value) => value === first) ? first : null;
}
