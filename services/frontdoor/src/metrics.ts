/** The metrics of the front door. The health port serves them. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Budgets } from './admission/admission.ts';
import type { Ports } from './api/calls/ports.ts';
import type { HttpCounters } from './http/http.ts';

export function measure(metrics: Registry, ports: Ports, counters: HttpCounters): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  gauge('frontdoor_requests_under_way', 'HTTP requests not yet answered', () => counters.underWay);
  gauge('frontdoor_commands_in_flight', 'Commands that wait for a reply', () => ports.shards.inFlight());
  gauge('frontdoor_shard_links', 'Open direct links to shards', () => ports.shards.openLinks());
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [metrics],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter(
    'frontdoor_commands_over_share_total',
    'Commands that were refused because their organisation had its share of the commands in flight',
    () => ports.shards.refusedByShare(),
  );
  counter('frontdoor_refused_here_total', 'Holds of sold units that were refused without their owner', () =>
    ports.shards.refusedHere(),
  );
  gauge('frontdoor_viewers', 'Open sockets and event streams', () => ports.feeds.viewerCount());
  counts(metrics, 'frontdoor_answers_total', 'HTTP answers by status', 'status', counters.answered);
  const refused = ports.budgets?.refused ?? new Map();
  counts(metrics, 'frontdoor_refused_by_budget_total', 'Requests over a budget, by its name', 'budget', refused);
  const { budgets } = ports;
  if (budgets) measureRefusedKeys(metrics, budgets);
}

function measureRefusedKeys(metrics: Registry, { refusedKeys }: Budgets): void {
  new Counter({
    name: 'frontdoor_refused_by_key_total',
    help: 'Requests over a budget by key, of the keys with the most',
    labelNames: ['key', 'organisation', 'budget'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { count, ...labels } of refusedKeys.top()) this.inc(labels, count);
    },
  });
}

export function measureThread(
  metrics: Registry,
  name: string,
  help: string,
  thread: { readonly deaths: number },
): void {
  new Counter({
    name,
    help,
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(thread.deaths);
    },
  });
}

function counts(
  metrics: Registry,
  name: string,
  help: string,
  label: string,
  byLabel: ReadonlyMap<string | number, number>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [value, count] of byLabel) this.inc({ [label]: String(value) }, count);
    },
  });
}
