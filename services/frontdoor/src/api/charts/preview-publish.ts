/**
 * What a publish of the draft does to the events that use the chart. The catalog gives the draft's faults and the units
 * that each event's chart would lose; the actors give the counts that decide. A preview reads alone: a publish decides
 * again.
 *
 * States of an event: listed → counted → (idle) asked for its locks, or (units vanish) asked for those units → told. If
 * an answer does not come in time, the event is told as unknown, and delays no other event.
 */
import type { Answers } from '@parterre/shared/answers';
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import { droppedScopes } from '@parterre/shared/chart/scopes';
import type { Command } from '@parterre/shared/commands';
import { done, type Outcome } from '@parterre/shared/errors';
import { listCountsDeadlineMs } from '@parterre/shared/limits';
import { scopeOf } from '../../admission/admission.ts';
import { type Call, callerOf } from '../calls/calls.ts';

type Preview = CatalogOutput<'charts.preview-publish'>;
type Listed = Preview['events'][number];
type Ask = <C extends Command>(event: Listed, command: C) => Promise<Outcome<Answers[C['type']]>>;
type Reason = 'in_use' | 'channels' | 'own_chart' | 'scopes_would_drop' | 'locked';

const taken = new Set(['held', 'booked', 'reserved']);

export async function previewPublish(call: Call<'editor', unknown, null>) {
  const { ports, principal, request } = call;
  const looked = await ports.catalog('charts.preview-publish', {
    scope: scopeOf(principal),
    chartId: request.params[0]!,
  });
  if (!looked.ok) return looked;
  const deadlineAt = Math.min(request.deadlineAt, ports.clock.elapsed() + listCountsDeadlineMs);
  const ask: Ask = (event, command) =>
    ports.shards.submit(
      { ...event, organisationId: principal.organisationId },
      callerOf(principal),
      command,
      deadlineAt,
    );
  const { meta, isNew, issues, truncated } = looked.value;
  const told = await Promise.all(looked.value.events.map((event) => eventOf(event, looked.value, ask)));
  return done({ meta, isNew, issues, events: told.filter((event) => event !== null), truncated });
}

async function eventOf(event: Listed, preview: Preview, ask: Ask) {
  const { key, name, mode } = event;
  const known = { key, name, mode, status: event.status === 'closed' ? ('closed' as const) : ('active' as const) };
  const counted = await ask(event, { type: 'count' });
  if (!counted.ok) return { ...known, outcome: 'unknown' as const, reasons: [], vanishing: null };
  const { planHash } = counted.value;
  if (counted.value.status === 'deleted' || counted.value.status === 'archived') return null;
  if (planHash === preview.hash) return { ...known, outcome: 'current' as const, reasons: [], vanishing: null };
  const reasons = reasonsOf(counted.value, preview.scopeIds);
  if (reasons.length === 0) {
    const looked = await ask(event, { type: 'inspect-locks' });
    if (!looked.ok) return { ...known, outcome: 'unknown' as const, reasons, vanishing: null };
    if (looked.value.locks.length > 0) reasons.push('locked');
  }
  const outcome = reasons.length === 0 ? ('refresh' as const) : ('needsUpdate' as const);
  return { ...known, outcome, reasons, vanishing: await vanishingOf(event, preview.vanishing[planHash], ask) };
}

/** The reasons for which the event does not follow a publish by itself. */
function reasonsOf(counted: Answers['count'], scopeIds: readonly string[]): Reason[] {
  const { held, booked, blocked } = counted.counts;
  const plan = { scopeIds: new Set(scopeIds) };
  return [
    ...(held + booked + blocked > 0 ? (['in_use'] as const) : []),
    ...((counted.privateUnits ?? 0) > 0 ? (['channels'] as const) : []),
    ...(counted.adjusted ? (['own_chart'] as const) : []),
    ...(droppedScopes(plan, counted.ruledScopes ?? [], counted.sectionStates).length > 0
      ? (['scopes_would_drop'] as const)
      : []),
  ];
}

async function vanishingOf(event: Listed, vanishing: Preview['vanishing'][string] | undefined, ask: Ask) {
  if (!vanishing) return null;
  if (vanishing.count === 0) return { ...vanishing, taken: [] };
  const selections = vanishing.labels.map((label) => ({ label }));
  const looked = await ask(event, { type: 'inspect-units', selections });
  const units = looked.ok ? looked.value.units : [];
  return { ...vanishing, taken: units.filter(({ status }) => taken.has(status ?? '')).map(({ label }) => label) };
}
