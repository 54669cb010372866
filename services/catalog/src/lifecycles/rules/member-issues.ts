/**
 * Whether events can be sold together: one organisation, workspace, mode, region and currency, and one version of one
 * chart. All issues are found at once, so that a caller mends a draft in one round. Pure.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { MemberIssue } from '@parterre/shared/protocol/catalog/groups';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { unitOf } from '@parterre/shared/protocol/money';

export type MembersMax = { min: number; max: number };

/** `known` has the events within the caller's organisation and workspace, in any mode; no deleted event. */
export function memberIssues(
  eventKeys: readonly string[],
  known: ReadonlyMap<string, EventRecord>,
  { mode }: Pick<Scope, 'mode'>,
  { min, max }: MembersMax,
): MemberIssue[] {
  const issues: MemberIssue[] = [];
  if (eventKeys.length < min || eventKeys.length > max) {
    const expected = `${min} to ${max}`;
    const message = `Name ${expected} events.`;
    issues.push({ code: 'event_count', message, ...issueAt('eventKeys'), expected, actual: eventKeys.length });
  }
  const first = eventKeys.map((key) => known.get(key)).find((event) => event !== undefined);
  for (const [index, key] of eventKeys.entries()) {
    const where = issueAt(`eventKeys.${index}`);
    if (eventKeys.indexOf(key) < index) {
      const message = 'This event is named twice. Name each event once.';
      issues.push({ code: 'duplicate_event', message, ...where, eventId: known.get(key)?.id ?? key, eventKey: key });
      continue;
    }
    const event = known.get(key);
    if (event === undefined || first === undefined) {
      const message = 'There is no such event. Check its key.';
      issues.push({ code: 'event_not_found', message, ...where, eventId: key, eventKey: key });
    } else {
      issues.push(...issuesOf(event, first, mode).map((issue) => ({ ...issue, ...where })));
    }
  }
  return issues;
}

type Same = {
  [Field in 'mode' | 'workspaceId' | 'region' | 'currency' | 'priceUnit' | 'chartId' | 'chartVersion']: {
    code: string;
    message: string;
    remediation: string;
  };
};

const same: Same = {
  mode: {
    code: 'mode_mismatch',
    message: 'The events have different modes.',
    remediation: 'Name events of one mode, with a key of this mode.',
  },
  workspaceId: {
    code: 'workspace_mismatch',
    message: 'The events are in different workspaces.',
    remediation: 'Name events of one workspace.',
  },
  region: {
    code: 'region_mismatch',
    message: 'The events are in different regions.',
    remediation: 'Name events of one region.',
  },
  currency: {
    code: 'currency_mismatch',
    message: 'The events have different currencies.',
    remediation: 'Name events of one currency.',
  },
  priceUnit: {
    code: 'price_unit_mismatch',
    message: 'The prices of the events are in different units (priceUnit).',
    remediation: 'Name events whose prices are all in major units, or all in minor units.',
  },
  chartId: {
    code: 'chart_mismatch',
    message: 'The events have different charts.',
    remediation: 'Name events of one chart.',
  },
  chartVersion: {
    code: 'chart_version_mismatch',
    message: 'The events have different versions of the chart.',
    remediation: 'Update the chart of the events that are behind.',
  },
};

/** The place of an issue in the body. */
export function issueAt(field: string) {
  return { field, path: field };
}

function factOf(event: EventRecord, field: keyof Same): string | number {
  return field === 'priceUnit' ? unitOf(event) : event[field];
}

type Issue = Omit<MemberIssue, 'field' | 'path'>;

function issuesOf(event: EventRecord, first: EventRecord, mode: Scope['mode']): Issue[] {
  const about = { eventId: event.id, eventKey: event.key };
  const issues: Issue[] = [];
  for (const [field, { code, message, remediation }] of Object.entries(same) as [keyof Same, Same[keyof Same]][]) {
    const expected = field === 'mode' ? (mode ?? first.mode) : factOf(first, field);
    const actual = factOf(event, field);
    if (field === 'chartVersion' && event.chartId !== first.chartId) continue;
    if (actual !== expected) issues.push({ code, message, ...about, expected, actual, remediation });
  }
  if (event.status !== 'active') {
    const message = `The event is ${event.status}.`;
    const remediation = `${event.status === 'archived' ? 'Unarchive' : 'Reopen'} the event, or leave it out.`;
    issues.push({ code: 'event_not_active', message, ...about, expected: 'active', actual: event.status, remediation });
  }
  if (event.startsAt === null) {
    const message = 'The event has no start.';
    issues.push({ code: 'starts_at_missing', message, ...about, remediation: 'Set startsAt of the event.' });
  }
  return issues;
}
