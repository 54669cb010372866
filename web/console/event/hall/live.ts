/**
 * The hall of an event with the true statuses of its places, kept by the event's feed.
 *
 * States: opening → live → behind (the feed is away, the last statuses stay and say so) → live; failed, where the
 * chart cannot be read: the person tries again; deleted, which is final. Where no socket opens, the hall looks at the
 * whole map every few seconds, and is live by these looks.
 *
 * Failure at each await:
 * - the chart: failed at the first opening; later the hall is behind and opens again after a pause that grows.
 * - the making of a large hall, in slices: no failure.
 * - the first reading of the statuses: the feed begins with a snapshot in its place.
 * - a ticket: a session that has ended waits for the sign-in (see server/calls.ts); another refusal waits.
 * - the feed: it comes back by itself and resumes after the last version (web/src/feed). Revoked access asks again
 *   after a pause, since the person may have signed in again. "Not found" means that the event was deleted.
 * - the reservations: the names stay as they were until the next change.
 *
 * A hall that is left, or opened anew, drops every late answer. A label that the chart lacks, or an entry of the log
 * about the chart, means that there is a newer chart: the hall opens anew.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { FeedFrame } from '../../../src/feed/feed.ts';
import { followEvent } from '../../../src/feed/follow.ts';
import { createGrowingPause } from '../../../src/feed/growing-pause.ts';
import type { Problem } from '../../../src/messages/problems.ts';
import { type Hall, hallInSteps } from '../../../src/rules/hall.ts';
import type { Result } from '../../../src/sale/calls.ts';
import type { Server } from '../../server/calls.ts';
import {
  type Changed,
  freshStatuses,
  type MapChanges,
  type TrueStatus,
  type TrueStatuses,
  takeChanges,
  takeWhole,
  trueStatuses,
  type WholeMap,
} from './true-statuses.ts';

export type { TrueStatus } from './true-statuses.ts';

type Reserved = { id: string; name: string };
type Objects = WholeMap & { reservations?: Record<string, Reserved> };
type Chart = { event: { name: string; timezone: string | null; currency: string }; doc: ChartDocument };
type Activity = { type: 'activity'; entries: { action: string }[] };

export type LiveHall = {
  state: 'opening' | 'live' | 'behind' | 'failed' | 'deleted';
  event: Chart['event'] | null;
  doc: ChartDocument | null;
  hall: Hall | null;
  /** Null until the chart is read. */
  statuses: TrueStatuses | null;
  /** Null until the chart is read; `stale` is the last known state of an event that sells nothing at present. */
  readonly objects: { stale?: true } | null;
  /** By label, the reservation that has a blocked place. */
  reservations: ReadonlyMap<string, Reserved>;
  /** `not_for_sale` for a label that is no seat, table or booth. */
  statusOf(label: string): TrueStatus;
  /** Null for a place that nobody has reserved. */
  reservationOf(label: string): Reserved | null;
  again(): void;
  close(): void;
};

/** What has changed: another hall, or these spots and areas of it. */
export type HallChange = { isNewHall: boolean; spots: readonly number[]; areas: readonly number[] };

const nothingChanged: HallChange = { isNewHall: false, spots: [], areas: [] };
const chartActions = new Set(['update_chart', 'set_chart', 'renumber']);
const reservationActions = /reserv/;
const RESERVATIONS_PER_PAGE = 200;
/** The server keeps 5,000 active reservations of an event. */
const RESERVATION_PAGES_MAX = 25;

export function openLiveHall(server: Server, eventKey: string, changed: (change: HallChange) => void): LiveHall {
  return new FollowedHall(server, eventKey, changed);
}

class FollowedHall implements LiveHall {
  state: LiveHall['state'] = 'opening';
  event: Chart['event'] | null = null;
  doc: ChartDocument | null = null;
  hall: Hall | null = null;
  statuses: TrueStatuses | null = null;
  reservations: ReadonlyMap<string, Reserved> = new Map();
  readonly #server: Server;
  readonly #eventKey: string;
  readonly #changed: (change: HallChange) => void;
  readonly #pause = createGrowingPause(() => void this.#open());
  /** Ends with the present opening. */
  #opening = new AbortController();
  #stopFeed: () => void = () => {};
  /** A newer chart is known, and waits for its reading. */
  #isOutdated = false;
  /** The opening whose reservations are being read. */
  #readingIn: AbortSignal | null = null;
  #areReservationsOld = false;

  constructor(server: Server, eventKey: string, changed: (change: HallChange) => void) {
    this.#server = server;
    this.#eventKey = eventKey;
    this.#changed = changed;
    void this.#open();
  }

  get objects(): { stale?: true } | null {
    return this.statuses && (this.statuses.isStale ? { stale: true } : {});
  }

  statusOf(label: string): TrueStatus {
    const spot = this.hall?.spotOf.get(label);
    return spot === undefined ? 'not_for_sale' : trueStatuses[this.statuses!.of[spot]!]!;
  }

  reservationOf(label: string): Reserved | null {
    return this.reservations.get(label) ?? null;
  }

  again(): void {
    this.#set('opening');
    void this.#open();
  }

  close(): void {
    this.#pause.end();
    this.#opening.abort();
    this.#stopFeed();
  }

  get #path(): string {
    return `events/${encodeURIComponent(this.#eventKey)}`;
  }

  async #open(): Promise<void> {
    this.close();
    this.#opening = new AbortController();
    this.#isOutdated = false;
    const { signal } = this.#opening;
    const [chart, objects] = await Promise.all([
      this.#server.get<Chart>(`${this.#path}/chart`, signal),
      this.#server.get<Objects>(`${this.#path}/objects`, signal),
    ]);
    if (signal.aborted) return;
    if (!chart.ok) {
      this.#unopened(chart.status);
      return;
    }
    const { event, doc } = chart.value;
    const hall = await madeInSlices(doc, signal);
    if (hall === null) return;
    Object.assign(this, { event, doc, hall, statuses: freshStatuses(hall) });
    const isOutdated = objects.ok && this.#takeObjects(objects.value).isUnknown;
    this.state = 'live';
    this.#changed({ ...nothingChanged, isNewHall: true });
    this.#follow(signal);
    if (isOutdated) this.#reopen();
    if (!objects.ok) void this.#readReservations();
  }

  #unopened(status: number): void {
    if (status === 404 && this.hall) this.#set('deleted');
    else if (this.hall) {
      this.#set('behind');
      this.#pause.begin();
    } else this.#set('failed');
  }

  #follow(signal: AbortSignal): void {
    const api = {
      call: <T>(_method: 'GET' | 'POST', action: string, { body }: { body?: unknown } = {}): Promise<Result<T>> =>
        this.#server.send<T>('POST', `${this.#path}/${action}`, { body, signal }),
      // The cookie's session renews itself.
      renew: () => Promise.resolve(),
      socketUrl: `${location.origin.replace(/^http/, 'ws')}/pub/${this.#path}/subscribe`,
    };
    const listener = {
      connection: (state: 'live' | 'waiting') => this.#set(state === 'live' ? 'live' : 'behind'),
      ended: (problem: Problem) => this.#ended(problem),
      frame: (frame: FeedFrame) => this.#take(frame as FeedFrame | Activity),
      version: () => this.statuses!.version,
    };
    const look = async (): Promise<Result<Objects>> => {
      const answer = await this.#server.get<Objects>(`${this.#path}/objects`, signal);
      if (answer.ok && !signal.aborted) this.#told(this.#takeObjects(answer.value));
      return answer;
    };
    this.#stopFeed = followEvent(api, listener, look).stop;
  }

  #ended({ code }: Problem): void {
    if (code === 'not_found') {
      this.#set('deleted');
      return;
    }
    this.#set('behind');
    this.#pause.begin();
  }

  #take(frame: FeedFrame | Activity): void {
    this.#pause.reset();
    const { hall, statuses } = this;
    if (frame.type === 'snapshot') this.#told(takeWhole(statuses!, hall!, frame as WholeMap));
    else if (frame.type === 'delta') this.#told(takeChanges(statuses!, hall!, frame as MapChanges));
    else if (frame.type === 'hidden') {
      Object.assign(statuses!, { hidden: frame.hidden, closed: frame.closed });
      this.#changed(nothingChanged);
    } else if (frame.type === 'activity') this.#heard(frame.entries);
  }

  #heard(entries: readonly { action: string }[]): void {
    if (entries.some(({ action }) => chartActions.has(action))) void this.#open();
    else if (entries.some(({ action }) => reservationActions.test(action))) void this.#readReservations();
  }

  #takeObjects(objects: Objects): Changed {
    this.reservations = new Map(Object.entries(objects.reservations ?? {}));
    return takeWhole(this.statuses!, this.hall!, objects);
  }

  #told({ spots, areas, isUnknown }: Changed): void {
    if (isUnknown) this.#reopen();
    else if (spots.length > 0 || areas.length > 0) this.#changed({ isNewHall: false, spots, areas });
  }

  #reopen(): void {
    if (this.#isOutdated) return;
    this.#isOutdated = true;
    this.#pause.begin();
  }

  /** One reading at a time; a change meanwhile asks for another. */
  async #readReservations(): Promise<void> {
    this.#areReservationsOld = true;
    const { signal } = this.#opening;
    if (this.#readingIn === signal) return;
    this.#readingIn = signal;
    while (this.#areReservationsOld && !signal.aborted) {
      this.#areReservationsOld = false;
      const named = await this.#namesOfReservations(signal);
      if (signal.aborted) return;
      if (named) this.#rename(named);
    }
    if (this.#readingIn === signal) this.#readingIn = null;
  }

  #rename(named: Map<string, Reserved>): void {
    const labels = new Set([...this.reservations.keys(), ...named.keys()]);
    this.reservations = named;
    const spots = [...labels].flatMap((label) => this.hall!.spotOf.get(label) ?? []);
    this.#changed({ ...nothingChanged, spots });
  }

  async #namesOfReservations(signal: AbortSignal): Promise<Map<string, Reserved> | null> {
    type Page = { reservations: (Reserved & { labels: string[] })[]; nextCursor?: string };
    const named = new Map<string, Reserved>();
    let cursor = '';
    for (let page = 0; page < RESERVATION_PAGES_MAX; page++) {
      const query = `state=active&limit=${RESERVATIONS_PER_PAGE}&cursor=${encodeURIComponent(cursor)}`;
      const answer = await this.#server.get<Page>(`${this.#path}/reservations?${query}`, signal);
      if (!answer.ok) return null;
      for (const { id, name, labels } of answer.value.reservations) {
        for (const label of labels) named.set(label, { id, name });
      }
      if (answer.value.nextCursor === undefined) return named;
      cursor = answer.value.nextCursor;
    }
    return named;
  }

  #set(state: LiveHall['state']): void {
    if (state === 'deleted') this.close();
    if (this.state === state || this.state === 'deleted') return;
    this.state = state;
    this.#changed(nothingChanged);
  }
}

/** A large hall takes some hundred milliseconds, in slices of this length: the page goes on drawing between them. */
const SLICE_MS = 12;

/** Null if the hall is left meanwhile. */
async function madeInSlices(doc: ChartDocument, signal: AbortSignal): Promise<Hall | null> {
  const steps = hallInSteps(doc);
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
    until = performance.now() + SLICE_MS;
  }
}
