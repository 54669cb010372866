/**
 * Performance groups: the same seats of 2 to 8 events, sold all or none. A group names its events for good. Its
 * lifecycle locks them (group-lifecycle.ts). The actors of the events decide every sale.
 */

import type { GroupDetail, MemberIssue } from '@parterre/shared/protocol/catalog/groups';
import { groupUnknown } from '@parterre/shared/protocol/catalog/owner-scope';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { groupEventsMax, groupEventsMin } from '@parterre/shared/protocol/group-limits';
import { idFor } from '@parterre/shared/protocol/ids';
import { memberIssues } from '../lifecycles/rules/member-issues.ts';
import { livingEvents } from '../projections/event-records.ts';
import { groups } from '../store/group-collections.ts';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import { madeOnce } from '../store/repeats.ts';
import { listName } from '../store/rules/lists.ts';
import { changeGroup, detailOf, detailsOf, findGroup } from './group-access.ts';
import { type GroupLifecycles, lifecycleStep } from './group-lifecycle.ts';
import { checkStep, groupDocument, revised } from './rules/group-state.ts';

type GroupOperation =
  | 'groups.create'
  | 'groups.list'
  | 'groups.get'
  | 'groups.find'
  | 'groups.delete'
  | 'groups.activate'
  | 'groups.close'
  | 'groups.lifecycle';

export function createGroupOperations(ports: Ports, lifecycles: GroupLifecycles): OperationTable<GroupOperation> {
  const { store } = ports;
  return {
    'groups.create': (input) => createGroup(ports, input),

    async 'groups.list'({ scope, page, workspaceId, externalRef, state }) {
      const within = workspaceId ?? scope.workspaceId;
      if (scope.workspaceId !== null && within !== scope.workspaceId) return done({ groups: [] });
      const filters = [scope.mode, within, externalRef ?? null, state ?? null];
      const found = { index: 'byList', equal: [listName(scope.organisationId, filters)], descending: true };
      const { items, more } = await listPage(store, groups, found, page, (document) => document);
      return done({ groups: await detailsOf(store, items), ...more });
    },

    async 'groups.get'({ scope, groupKey }) {
      const found = await findGroup(store, scope, groupKey);
      return found.ok ? done(await detailOf(store, found.value)) : found;
    },

    async 'groups.find'({ groupKey }) {
      const found = await store.get(groups, groupKey);
      return found && !found.value.gone ? done(await detailOf(store, found)) : groupUnknown();
    },

    // The document stays without a list: a late lock of an earlier activation is still taken back.
    async 'groups.delete'(input) {
      const deleted = await changeGroup(ports, input, (group) => {
        const allowed = checkStep(group, 'draft', null);
        return allowed.ok ? done(revised(group, { gone: true })) : allowed;
      });
      return deleted.ok ? done({ ok: true }) : deleted;
    },

    'groups.activate': (input) => lifecycles.activate(input),
    'groups.close': (input) => lifecycles.close(input),

    async 'groups.lifecycle'({ scope, groupKey, operationId }) {
      const found = await findGroup(store, scope, groupKey);
      return found.ok ? lifecycleStep(store, found.value, operationId) : found;
    },
  };
}

async function createGroup(
  ports: Ports,
  { scope, draft, callId }: CatalogInput<'groups.create'>,
): Promise<Outcome<GroupDetail>> {
  const { store, clock } = ports;
  const key = idFor('pg', callId);
  const made = await madeOnce({
    scope,
    callId,
    find: () => store.get(groups, key),
    async make() {
      const first = await firstMember(ports, scope, draft.eventKeys);
      if (!first.ok) return first;
      const value = groupDocument(draft, first.value, scope, clock.now());
      const inserted = await store.insert(groups, key, value);
      return done(inserted === 'inserted' ? { id: key, version: 1, value } : ('taken' as const));
    },
  });
  return made.ok ? done(await detailOf(store, made.value)) : made;
}

async function firstMember({ store }: Ports, scope: Scope, eventKeys: readonly string[]) {
  const known = await livingEvents(store, scope, eventKeys);
  const issues = memberIssues(eventKeys, known, scope, { min: groupEventsMin, max: groupEventsMax });
  return issues.length === 0 ? done(known.get(eventKeys[0]!)!) : incompatible(issues);
}

export function incompatible(issues: MemberIssue[]): { ok: false } & ReturnType<typeof refuse> {
  return refuse('incompatible_events', 'These events cannot be sold together. Mend what the issues list.', {
    details: { issues },
  });
}
