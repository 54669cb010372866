/**
 * The states of a performance group: its document, the lists that show it, and the steps that a caller may take. Pure.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { GroupDraft, GroupRecord, GroupState } from '@parterre/shared/protocol/catalog/groups';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { openLifecycle } from '../../lifecycles/rules/lifecycle-state.ts';
import type { GroupDocument } from '../../store/rules/group-records.ts';
import { listsOf } from '../../store/rules/lists.ts';

/** `first` is the first event: all events agree with it on the fields that the group takes over. */
export function groupDocument(
  { name, eventKeys, externalRef = null }: GroupDraft,
  first: EventRecord,
  { environment }: Pick<Scope, 'environment'>,
  now: number,
): GroupDocument {
  const { organisationId, workspaceId, mode, chartId, chartVersion, currency, priceUnit, region } = first;
  return listed({
    organisationId,
    workspaceId,
    mode,
    environment,
    name,
    externalRef,
    state: 'draft',
    revision: 1,
    eventKeys,
    chartId,
    chartVersion,
    currency,
    ...(priceUnit && { priceUnit }),
    region,
    createdAt: now,
    updatedAt: now,
    activatedAt: null,
    closedAt: null,
    lists: [],
    lockId: null,
    lifecycles: [],
    open: null,
    gone: null,
  });
}

export function groupRecord(key: string, document: GroupDocument): GroupRecord {
  const { lists: _, lockId: __, lifecycles: ___, open: ____, gone: _____, ...record } = document;
  return { key, ...record };
}

/** The document of the next revision, and its lists. */
export function revised(group: GroupDocument, fields: Partial<GroupDocument>): GroupDocument {
  return listed({ ...group, ...fields, revision: group.revision + 1 });
}

function listed(group: GroupDocument): GroupDocument {
  const { organisationId, mode, workspaceId, externalRef, state } = group;
  return { ...group, lists: group.gone ? [] : listsOf(organisationId, [mode, workspaceId, externalRef, state]) };
}

/** Refuses a step from another state, at another revision, or while another step is open. */
export function checkStep(
  { state, revision, lifecycles }: GroupDocument,
  from: GroupState,
  expectedRevision: number | null,
): Outcome<true> {
  if (expectedRevision !== null && revision !== expectedRevision) {
    return refuse('conflict', 'The group has changed. Read it, then repeat the call with its revision.', {
      reason: 'stale_revision',
      details: { revision },
    });
  }
  const isOpen = openLifecycle({ lifecycles }) !== null;
  if (state === from && !isOpen) return done(true);
  const message = isOpen
    ? 'A step of the lifecycle is under way. Wait for its end.'
    : `The group is ${state}. This call needs a group that is ${from}.`;
  return refuse('invalid_group_state', message, { details: { state } });
}
