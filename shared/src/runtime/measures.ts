/**
 * Families of metrics for /metrics. The parts of a service count in plain numbers, and a scrape reads the numbers: no
 * request builds a label, and nothing is added up before somebody asks.
 *
 * A family without samples has its head only, so every name of a service stands in every answer.
 */
import type { Metric, Registry } from 'prom-client';
import { SECOND_MS } from './units.ts';

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];
type ReadSamples<T> = () => Iterable<T> | Promise<Iterable<T>>;

/** Adds a family. `read` is called by every scrape; a scrape fails with it. The value of a counter never falls. */
export function family(
  registry: Registry,
  type: 'gauge' | 'counter',
  name: string,
  help: string,
  read: ReadSamples<Sample>,
): void {
  add(registry, name, help, type, async () => Array.from(await read(), ([labels, value]) => ({ labels, value })));
}

const noLabels: Labels = {};

/** Adds a family with one sample. */
export function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  family(registry, 'gauge', name, help, () => [[noLabels, read()]]);
}

export function counter(registry: Registry, name: string, help: string, read: () => number): void {
  family(registry, 'counter', name, help, () => [[noLabels, read()]]);
}

/** A sample for each entry of the map. */
export function counterByLabel(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Iterable<readonly [value: string | number, count: number]>,
): void {
  family(registry, 'counter', name, help, () => Array.from(read(), ([value, n]) => [{ [label]: String(value) }, n]));
}

/** Counts durations in buckets. `note` is for hot paths: a few comparisons and two additions. */
export class Durations {
  readonly #boundsMs: Float64Array;
  /** The last bucket has everything above the bounds. */
  readonly #counts: Float64Array;
  #sumMs = 0;

  constructor(boundsMs: readonly number[]) {
    this.#boundsMs = Float64Array.from(boundsMs);
    this.#counts = new Float64Array(boundsMs.length + 1);
  }

  note(ms: number): void {
    const bounds = this.#boundsMs;
    let bucket = 0;
    while (bucket < bounds.length && ms > bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sumMs += ms;
  }

  /** The samples of a Prometheus histogram in seconds: buckets that count all durations up to their bound. */
  samples(name: string, labels: Labels) {
    let count = 0;
    const samples = Array.from(this.#counts, (counted, bucket) => {
      count += counted;
      const bound = this.#boundsMs[bucket];
      const le = bound === undefined ? '+Inf' : String(bound / SECOND_MS);
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    samples.push({ metricName: `${name}_sum`, labels: { ...labels } as never, value: this.#sumMs / SECOND_MS });
    samples.push({ metricName: `${name}_count`, labels: { ...labels } as never, value: count });
    return samples;
  }
}

export function histogram(
  registry: Registry,
  name: string,
  help: string,
  read: ReadSamples<readonly [labels: Labels, durations: Durations]>,
): void {
  add(registry, name, help, 'histogram', async () =>
    Array.from(await read()).flatMap(([labels, durations]) => durations.samples(name, labels)),
  );
}

/** Other reasons count as `other`: some reasons may have no bound. */
const reasonsMax = 64;

/** Counts refusals by code and reason. */
export class RefusalCounts {
  readonly #byCode = new Map<string, Map<string, number>>();

  note({ code, reason = '' }: { code: string; reason?: string }): void {
    let byReason = this.#byCode.get(code);
    if (!byReason) {
      byReason = new Map();
      this.#byCode.set(code, byReason);
    }
    const counted = byReason.get(reason);
    if (counted !== undefined) byReason.set(reason, counted + 1);
    else if (byReason.size < reasonsMax) byReason.set(reason, 1);
    else byReason.set('other', (byReason.get('other') ?? 0) + 1);
  }

  *samples(labels: Labels): Iterable<Sample> {
    for (const [code, byReason] of this.#byCode) {
      for (const [reason, count] of byReason) yield [{ ...labels, code, reason }, count];
    }
  }
}

type FoundSample = { metricName?: string; labels: Labels; value: number };

/** The registry asks a metric for its head and samples, and for nothing else. */
function add(
  registry: Registry,
  name: string,
  help: string,
  type: 'gauge' | 'counter' | 'histogram',
  read: () => Promise<FoundSample[]>,
): void {
  const metric = { name, help, type, get: async () => ({ name, help, type, values: await read() }), reset() {} };
  registry.registerMetric(metric as unknown as Metric);
}
