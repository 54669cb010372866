/** The metrics of the front door. The health port serves them. docs/metrics.md describes each. */
import { counter, counterByLabel, family, gauge, histogram } from '@parterre/shared/runtime/measures';
import type { Registry } from 'prom-client';
import type { Ports } from './api/calls/ports.ts';
import type { HttpCounters } from './http/http.ts';

/** Events have no bound, so only the events with the most viewers have a sample. */
const viewedEventsNamed = 20;

export function measure(metrics: Registry, ports: Ports, counters: HttpCounters): void {
  measureRequests(metrics, counters);
  measureLoads(metrics, ports.shards);
  gauge(metrics, 'frontdoor_commands_in_flight', 'Commands that wait for a reply.', () => ports.shards.inFlight());
  gauge(metrics, 'frontdoor_shard_links', 'Open direct links to shards.', () => ports.shards.openLinks());
  counter(
    metrics,
    'frontdoor_commands_over_share_total',
    'Commands that were refused because their organisation had its share of the commands in flight.',
    () => ports.shards.refusedByShare(),
  );
  counter(metrics, 'frontdoor_refused_here_total', 'Holds of sold units that were refused without their owner.', () =>
    ports.shards.refusedHere(),
  );
  gauge(metrics, 'frontdoor_viewers', 'Open sockets and event streams.', () => ports.feeds.viewerCount());
  const viewers = 'Open sockets and event streams of the events with the most of them.';
  family(metrics, 'gauge', 'frontdoor_event_viewers', viewers, () =>
    ports.feeds.mostViewed(viewedEventsNamed).map(([event, count]) => [{ event }, count]),
  );
  gauge(metrics, 'frontdoor_viewers_spared', 'Viewers without frames until they take those before.', () =>
    ports.feeds.sparedViewerCount(),
  );
  const gathered = 'How long the oldest change of a telling has waited for it.';
  histogram(metrics, 'frontdoor_feed_gather_seconds', gathered, () => [[{}, ports.feeds.gathered]]);
  const { budgets } = ports;
  const refused = 'Requests over a budget, by its name.';
  counterByLabel(
    metrics,
    'frontdoor_refused_by_budget_total',
    refused,
    'budget',
    () => budgets?.refused.byBudget ?? [],
  );
  const over = 'Requests over a budget, by the key or organisation of the callers that were over one lately.';
  family(metrics, 'counter', 'frontdoor_caller_over_budget_total', over, () => budgets?.refused.byCaller() ?? []);
}

function measureLoads(metrics: Registry, { loads }: Ports['shards']): void {
  const shed = 'Commands that were refused in an overload, by class.';
  counterByLabel(metrics, 'frontdoor_shed_total', shed, 'class', () => loads.shed);
  counter(
    metrics,
    'frontdoor_shed_late_total',
    'Of them, refused later than 50 ms behind their heads.',
    () => loads.shedLate,
  );
  const oldest = 'The age of the oldest command of a sale without an answer.';
  gauge(metrics, 'frontdoor_oldest_command_seconds', oldest, () => loads.oldestMs / 1_000);
  gauge(metrics, 'frontdoor_partitions_shedding', 'Partitions whose new work has a limit.', () => loads.limited);
}

function measureRequests(metrics: Registry, counters: HttpCounters): void {
  const { traffic } = counters;
  gauge(metrics, 'frontdoor_requests_under_way', 'HTTP requests not yet answered.', () => counters.underWay);
  counterByLabel(metrics, 'frontdoor_answers_total', 'HTTP answers by status.', 'status', () => counters.answered);
  histogram(
    metrics,
    'frontdoor_request_seconds',
    'The time from the head of a request to the head of its answer, by route and class of status.',
    () => traffic.seconds(),
  );
  family(metrics, 'counter', 'frontdoor_refusals_total', 'Refused requests by route, code and reason.', () =>
    traffic.refusals(),
  );
}
