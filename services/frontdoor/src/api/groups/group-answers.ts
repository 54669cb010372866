/** Answers of performance groups and their lifecycle. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { GroupDetail, GroupLifecycle, GroupStep } from '@parterre/shared/catalog/groups';
import { inventoryModelVersion } from '@parterre/shared/event-meta';
import { z } from 'zod';
import { count, currency, epochMs, idOf, mode, nextCursor, text, textOrNull } from '../records/records.ts';

export const groupState = z.enum(['draft', 'active', 'closing', 'closed', 'archived']);

export const groupFields = {
  key: idOf('pg'),
  kind: z.literal('performance_run'),
  name: text,
  externalRef: textOrNull,
  state: groupState,
  revision: count.min(1).describe('Grows with each step of the lifecycle. A step names the revision that it saw.'),
  workspaceId: idOf('ws'),
  mode,
  environment: textOrNull,
  chartId: idOf('cht'),
  sourceChartKey: idOf('cht'),
  inventoryModelVersion: z.literal(2),
  currency,
  venue: textOrNull.describe('Null where the events differ.'),
  timezone: textOrNull.describe('An IANA zone name; null where the events differ.'),
  performanceCount: count,
  firstStartsAt: epochMs.describe('0 for a draft whose events have lost their starts.'),
  lastStartsAt: epochMs,
  createdAt: epochMs,
  updatedAt: epochMs,
  activatedAt: epochMs.nullable(),
  closedAt: epochMs.nullable(),
};

const performance = z.object({
  position: count.min(1),
  eventKey: text,
  name: text,
  startsAt: epochMs,
  endsAt: epochMs.nullable(),
  venue: textOrNull,
  timezone: textOrNull,
  externalRef: textOrNull,
  salesState: z.enum(['open', 'closed']),
  status: z.enum(['active', 'closed', 'archived', 'deleted']),
});

export const group = z.object(groupFields);
export const groupDetail = z.object({ ...groupFields, performances: z.array(performance) });

const lifecycle = z.object({
  operationId: idOf('op'),
  kind: z.enum(['ACTIVATION', 'CLOSE']),
  phase: z.enum([
    'activation_locking',
    'activation_registry',
    'activation_aborting',
    'active',
    'activation_failed',
    'close_registry',
    'close_draining',
    'close_finalize',
    'close_unlocking',
    'close_failed',
    'closed',
  ]),
  terminal: z.boolean(),
  totalLocks: count,
  ackedLocks: count,
  remainingOperations: count.nullable().describe('Live holds that a close waits for.'),
  code: textOrNull.describe('Why the step failed.'),
});

export const oneGroup = z.object({ performanceGroup: groupDetail });
export const listGroupsAnswer = z.object({ performanceGroups: z.array(group), nextCursor });
export const groupStep = z.object({ performanceGroup: groupDetail, lifecycleOperation: lifecycle });

export function groupOf({ group: record, events }: GroupDetail): z.output<typeof group> {
  const { organisationId: _, chartVersion: __, region: ___, eventKeys, ...fields } = record;
  const starts = events.flatMap(({ startsAt }) => startsAt ?? []);
  return {
    ...fields,
    kind: 'performance_run',
    sourceChartKey: record.chartId,
    inventoryModelVersion,
    venue: common(events, 'venue'),
    timezone: common(events, 'timezone'),
    performanceCount: eventKeys.length,
    firstStartsAt: starts.length === 0 ? 0 : Math.min(...starts),
    lastStartsAt: Math.max(0, ...starts),
  };
}

export function groupDetailOf(detail: GroupDetail): z.output<typeof groupDetail> {
  return { ...groupOf(detail), performances: performancesOf(detail) };
}

function performancesOf({ group: { eventKeys }, events }: GroupDetail) {
  return events.map((event) => ({
    position: eventKeys.indexOf(event.key) + 1,
    eventKey: event.key,
    name: event.name,
    startsAt: event.startsAt ?? 0,
    endsAt: event.endsAt,
    venue: event.venue,
    timezone: event.timezone,
    externalRef: event.externalRef,
    salesState: isOnSale(event) ? ('open' as const) : ('closed' as const),
    status: event.status,
  }));
}

export function isOnSale({ status, salesPaused }: Pick<EventRecord, 'status' | 'salesPaused'>): boolean {
  return status === 'active' && !salesPaused;
}

/** The value that all events have; null where they differ. */
function common(events: readonly EventRecord[], field: 'venue' | 'timezone'): string | null {
  const [first] = events;
  return first && events.every((event) => event[field] === first[field]) ? first[field] : null;
}

export function lifecycleOf({ createdAt: _, updatedAt: __, ...told }: GroupLifecycle): z.output<typeof lifecycle> {
  return told;
}

export function groupStepOf(step: GroupStep): z.output<typeof groupStep> {
  return { performanceGroup: groupDetailOf(step), lifecycleOperation: lifecycleOf(step.lifecycle) };
}
