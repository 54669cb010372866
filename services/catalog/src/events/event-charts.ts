/**
 * An event moves to another chart of its workspace. The event's actor decides; the catalog keeps the lists right.
 *
 * States of a move: aimed (the event's document names the coming chart, and is found under it) → moved by the actor →
 * settled (the document is of the chart). Of the aim's look at the chart and a delete of the chart, one sees the other
 * (charts/chart-lifecycle.ts).
 *
 * Failure at each await: the chart is deleted or taken back between → the aim is refused, and its note ends with
 * `aimKeptMs`; the actor refuses, or the process dies before it asks → the same; the process dies behind the actor's
 * answer → the projection tells the chart, and the note keeps the event in the chart's list. A later aim first takes
 * over the chart that the projection tells.
 */
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { chartInUse, chartUnknown, findChart } from '../charts/chart-access.ts';
import { readRecord } from '../projections/event-records.ts';
import { events } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { eventInScope, eventUnknown, findEvent } from './event-access.ts';
import { publishedOf } from './event-create.ts';

export async function aimChart(
  ports: Ports,
  { scope, eventKey, chartId, dryRun }: CatalogInput<'events.aim-chart'>,
): Promise<Outcome<CatalogOutput<'events.aim-chart'>>> {
  const { store, clock } = ports;
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const chart = await findChart(store, { ...scope, workspaceId: event.value.workspaceId }, chartId);
  if (!chart.ok) return chartUnknown();
  const published = publishedOf(chart.value.value);
  if (!published.ok) return published;
  const { hash: planHash, version: chartVersion } = published.value.published;
  if (dryRun) return done({ planHash, chartVersion });
  const aimed = await change(store, events, eventKey, eventUnknown, async (value) => {
    const record = eventInScope(await readRecord(store, { id: eventKey, version: 0, value }), scope);
    if (!record.ok) return record;
    const coming = { isComing: true as const, comingChartId: chartId, comingAt: clock.now() };
    return done({ ...value, chartId: record.value.chartId, ...coming });
  });
  if (!aimed.ok) return aimed;
  const still = await chartInUse(ports, chartId);
  return still.ok ? done({ planHash, chartVersion }) : still;
}
