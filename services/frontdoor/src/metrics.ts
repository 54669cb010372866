/** The metrics of the front door. The health port serves them. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Ports } from './api/calls/calls.ts';
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
  gauge('frontdoor_viewers', 'Open sockets and event streams', () => ports.feeds.viewerCount());
  new Counter({
    name: 'frontdoor_answers_total',
    help: 'HTTP answers by status',
    labelNames: ['status'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [status, count] of counters.answered) this.inc({ status: String(status) }, count);
    },
  });
}
