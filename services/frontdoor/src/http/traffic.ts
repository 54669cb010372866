/**
 * Counts the answers by route, class of status and refusal, for the metrics. A route counts in plain numbers of its
 * own, so an answer builds no label. The routes bound the series; a request without a route counts as `none`.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { Durations, type Labels, RefusalCounts, type Sample } from '@parterre/shared/runtime/measures';
import type { Row } from '../admission/admission.ts';
import type { Answer } from '../answers/answers.ts';

const boundsMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

export type RouteTraffic = {
  readonly labels: Labels;
  /** By the first digit of the status. */
  readonly seconds: (Durations | null)[];
  readonly refusals: RefusalCounts;
};

/** The part of an exchange that an answer needs. */
type Answered = { readonly startedAt: number; readonly traffic: RouteTraffic | null };

export class Traffic {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #byRoute = new Map<Row, RouteTraffic>();
  readonly #none = newTraffic('', 'none');

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  of(route: Row): RouteTraffic {
    const known = this.#byRoute.get(route);
    if (known) return known;
    const traffic = newTraffic(route.method, route.path);
    this.#byRoute.set(route, traffic);
    return traffic;
  }

  /** Call this once for an answer, with its head. */
  note({ startedAt, traffic }: Answered, { status, refusal }: Pick<Answer, 'status' | 'refusal'>): void {
    const { seconds, refusals } = traffic ?? this.#none;
    const statusClass = Math.trunc(status / 100);
    let durations = seconds[statusClass];
    if (!durations) {
      durations = new Durations(boundsMs);
      seconds[statusClass] = durations;
    }
    durations.note(this.#clock.elapsed() - startedAt);
    if (refusal !== undefined) refusals.note(refusal);
  }

  *seconds(): Iterable<[Labels, Durations]> {
    for (const { labels, seconds } of this.#all()) {
      for (const [statusClass, durations] of seconds.entries()) {
        if (durations) yield [{ ...labels, status: `${statusClass}xx` }, durations];
      }
    }
  }

  *refusals(): Iterable<Sample> {
    for (const { labels, refusals } of this.#all()) yield* refusals.samples(labels);
  }

  #all(): RouteTraffic[] {
    return [this.#none, ...this.#byRoute.values()];
  }
}

function newTraffic(method: string, route: string): RouteTraffic {
  return { labels: { method, route }, seconds: new Array(6).fill(null), refusals: new RefusalCounts() };
}
