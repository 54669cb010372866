/** Reads the events and groups that a selection names, and judges whether a season can sell them together. */

import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonIssue, SeasonSelection, SourceGroup } from '@parterre/shared/protocol/catalog/seasons';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { findGroup } from '../groups/group-access.ts';
import { livingEvents } from '../projections/event-records.ts';
import type { Store } from '../store/store.ts';
import { issuesOf, type NamedGroup } from './rules/compatibility.ts';
import { listSha256 } from './rules/list-hash.ts';

export type Selection = {
  eventKeys: string[];
  /** In the order of `eventKeys`, each once, without unknown events. */
  events: EventRecord[];
  sourcePerformanceGroups: SourceGroup[];
  issues: SeasonIssue[];
};

/** `latest` gives an event the facts that its actor has now: the catalog's record may be behind them. */
export async function readSelection(
  store: Store,
  scope: Scope,
  { eventKeys = [], sourcePerformanceGroupKeys = [] }: SeasonSelection,
  latest: (event: EventRecord) => EventRecord | Promise<EventRecord> = (event) => event,
): Promise<Selection> {
  const groups = await readGroups(store, scope, sourcePerformanceGroupKeys);
  const sources = groups.flatMap(({ group, isActive }) => (group && isActive ? [group] : []));
  const further = sources.flatMap((group) => group.eventKeys).filter((key) => !eventKeys.includes(key));
  const keys = [...eventKeys, ...new Set(further)];
  const recorded = await livingEvents(store, scope, keys);
  const events = new Map(
    await Promise.all([...recorded].map(async ([key, event]) => [key, await latest(event)] as const)),
  );
  const issues = issuesOf(keys, events, groups, scope);
  return {
    eventKeys: keys,
    events: [...new Set(keys)].flatMap((key) => events.get(key) ?? []),
    sourcePerformanceGroups: sources,
    issues,
  };
}

export async function readGroups(store: Store, scope: Scope, groupKeys: readonly string[]): Promise<NamedGroup[]> {
  return Promise.all([...new Set(groupKeys)].map((key) => sourceGroup(store, scope, key)));
}

/** The performance groups that a selection names, with the facts of their activation. */
async function sourceGroup(store: Store, scope: Scope, key: string): Promise<NamedGroup> {
  const found = await findGroup(store, scope, key);
  if (!found.ok) return { key, group: null, isActive: false };
  const { eventKeys, state, lockId, chartId, chartVersion, currency, mode } = found.value.value;
  const group = {
    key,
    activationId: lockId ?? '',
    memberSetSha256: listSha256(eventKeys),
    activationSpecSha256: listSha256([...eventKeys, chartId, String(chartVersion), mode, currency]),
    eventKeys,
  };
  return { key, group, isActive: state === 'active' && lockId !== null };
}

export function incompatible(issues: readonly SeasonIssue[]): Outcome<never> {
  return refuse('incompatible_events', 'The season cannot sell these events together. The issues list every fault.', {
    details: { issues },
  });
}
