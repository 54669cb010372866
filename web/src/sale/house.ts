/**
 * The sale that a page follows: event, chart, prices and statuses, kept up to date from the feed.
 *
 * States: opening → open → (reading the chart anew, when hidden scopes have changed or a label is unknown) → open.
 * Frames that arrive during a reading wait. A snapshot among them has the statuses of the new chart, and the frames
 * behind the snapshot are then applied in order. Without a snapshot the reading fetches the statuses. Too many frames
 * are dropped, and the page reads again. When a reading fails, the former state stays. When the new statuses name a
 * label that the new chart lacks, the chart is still old. Both lead to another reading, after a pause that grows. No
 * frame tells that sales were closed or reopened, or that their times were changed, so the owner calls `readSale` now
 * and then.
 *
 * Chart and statuses are read apart, and both may come from a cache. A reading with a chart older than the snapshot, or
 * with statuses older than the shown ones, counts as failed and is repeated after a pause. With statuses of another
 * version than the chart, the divisions that were hidden between the two are in doubt. The feed then continues from the
 * older version of the two: a delta up to the newer version proves that no division has changed. A later snapshot, or
 * news of hidden divisions, makes the page read again.
 */

import { askFirstTicket, type Connection, type FeedFrame, type FirstTicket } from '../feed/feed.ts';
import { followEvent } from '../feed/follow.ts';
import { createGrowingPause } from '../feed/growing-pause.ts';
import type { Hall } from '../rules/hall.ts';
import type { Performance } from '../rules/performances.ts';
import { bareOffers, type Offers } from '../rules/prices.ts';
import {
  type Change,
  noStatuses,
  type SnapshotFrame,
  type Statuses,
  takeDelta,
  takeSnapshot,
} from '../rules/statuses.ts';
import { hasFree, pauseOf, pauseOfEvent, type SalePause } from '../rules/waiting.ts';
import type { Api, Availability, BuyerEvent, Objects, OpenedSale } from './api.ts';
import type { Result } from './calls.ts';
import { type ReadChart, readChart } from './chart-reading.ts';

export type House = {
  event: BuyerEvent;
  hall: Hall;
  /** Of each event that is sold. */
  offers: readonly Offers[];
  statuses: Statuses;
  /** The reason why nothing can be bought now, as the server told it last. */
  waiting: SalePause | null;
  /** The end of the sale, by the server's clock. */
  salesEndAt: number | null;
  /** From then on, companions' places of sold wheelchair places are for all; null for at no time. */
  companionsUntil: number | null;
  /** Of a group; an event alone has none. */
  performances: readonly Performance[];
  /** The names of the performances that lack a label which another has free. */
  lackingOf(label: string): string[];
};

export type OpenedHouse = {
  house: House;
  /** Keeps the statuses up to date. */
  follow(connection: Connection): { stop(): void };
  /** Reads the prices, and whether sales are closed. */
  readSale(isUrgent?: boolean): Promise<void>;
};

export type HouseListener = {
  /** The chart has changed. */
  rebuilt(): void;
  changed(change: Change): void;
  /** The statuses of single labels in a frame; undefined for a label without one. */
  heard(statusOf: (label: string) => string | undefined): void;
  priced(): void;
};

export async function openHouse(api: Api, listener: HouseListener): Promise<Result<OpenedHouse>> {
  const told = await api.open();
  if (!told.ok) return told;
  // Neither needs the chart: both are asked beside it. A fresh session comes with its prices.
  const ticket = askFirstTicket(api);
  const value = 'files' in told.value ? told.value.availability : undefined;
  const sale = value ? Promise.resolve({ ok: true as const, value }) : askSale(api, false);
  const read = await readChart(api, told.value, null, 'kept');
  if (!read.ok) return read;
  const watched = new WatchedHouse(api, listener, read.value);
  void watched.takeSale(sale);
  return {
    ok: true,
    value: {
      house: watched.house,
      follow: (connection) => watched.follow(connection, ticket),
      readSale: (isUrgent = false) => watched.takeSale(askSale(api, isUrgent)),
    },
  };
}

const askSale = (api: Api, isUrgent: boolean) =>
  api.call<Availability>('GET', `availability${isUrgent ? '?live=1' : ''}`, { once: true });

/** After an overflow the page reads everything again. */
const WAITING_MAX = 200;

class WatchedHouse {
  readonly house: House;
  readonly #api: Api;
  readonly #listener: HouseListener;
  #chart: ReadChart;
  /** The divisions that the chart lacks, as JSON; null while in doubt. */
  #hidden: string | null = null;
  /** Those that a delta proves. */
  #doubted: string | null = null;
  #reading = false;
  #waiting: FeedFrame[] = [];
  /** The version that a reading must reach; 0 while the page misses nothing. */
  #missed = 0;
  /** During a rush the readings of slow pages may fail or lag behind. They must not become a load of their own. */
  readonly #pause = createGrowingPause(() => void this.#readAgain());
  #reachesChannels = false;
  #wasFree: boolean;

  constructor(api: Api, listener: HouseListener, chart: ReadChart) {
    this.#api = api;
    this.#listener = listener;
    this.#chart = chart;
    const statuses = noStatuses(chart.hall);
    if (chart.objects) {
      this.#believe(chart.objects);
      this.#fill(statuses, chart.hall, chart.objects);
    }
    this.house = build(chart, statuses);
    this.#wasFree = hasFree(statuses);
  }

  follow(connection: Connection, firstTicket: FirstTicket): { stop(): void } {
    const frame = (each: FeedFrame) => this.#take(each);
    const listener = { ...connection, frame, version: () => this.#resumedFrom(), firstTicket };
    const feed = followEvent(this.#api, listener, () => this.#look());
    if (this.#missed > 0) void this.#readAgain();
    const stop = () => {
      this.#pause.end();
      feed.stop();
    };
    return { stop };
  }

  async takeSale(asked: Promise<Result<Availability>>): Promise<void> {
    const answer = await asked;
    if (!answer.ok) return;
    this.#reachesChannels = answer.value.channelPricing != null;
    Object.assign(this.house, saleOf(answer.value));
    this.#listener.priced();
  }

  #take(frame: FeedFrame): void {
    if (this.#reading) this.#keep(frame);
    else if (frame.type === 'hidden') this.#noteHidden(frame.hidden, Number.POSITIVE_INFINITY);
    else if (frame.type === 'snapshot') {
      this.#noteHidden(frame.hidden, frame.snapshotVersion);
      this.#show(frame);
      if (this.#isReading()) this.#keep(frame);
    } else if (frame.type === 'delta') {
      const { version } = this.house.statuses;
      if (frame.snapshotVersion >= version && !this.#isBeforeChart(frame.snapshotVersion)) {
        this.#hidden ??= this.#doubted;
      }
      this.#taken(takeDelta(this.house.statuses, this.house.hall, frame));
      const said = new Map(frame.changes.map(({ label, status }) => [label, status]));
      this.#listener.heard((label) => said.get(label));
    } else if (frame.type === 'allocation') void this.takeSale(askSale(this.#api, false));
  }

  #isReading(): boolean {
    return this.#reading;
  }

  #keep(frame: FeedFrame): void {
    this.#waiting.push(frame);
    if (this.#waiting.length <= WAITING_MAX) return;
    for (const each of this.#waiting) if ('snapshotVersion' in each) this.#miss(each.snapshotVersion);
    this.#waiting = [];
  }

  #miss(version: number): void {
    this.#missed = Math.max(this.#missed, version);
  }

  #show(frame: SnapshotFrame): void {
    this.#taken(takeSnapshot(this.house.statuses, this.house.hall, frame));
    this.#hear(frame);
  }

  #hear({ seats, default: usual }: Objects): void {
    this.#listener.heard((label) => seats[label] ?? usual);
  }

  #taken(change: Change): void {
    const { statuses } = this.house;
    if (change.spots.length > 0 || change.areas.length > 0) this.#listener.changed(change);
    if (change.turned) this.#listener.priced();
    if (change.unknown) this.#outgrow();
    // Without a free place in reach, the channels may be sold out or paused: the server tells.
    if (this.#reachesChannels && hasFree(statuses) !== this.#wasFree) void this.takeSale(askSale(this.#api, true));
    this.#wasFree = hasFree(statuses);
  }

  /** The chart lacks a label of the statuses. While the page misses something, a reading or a pause is under way. */
  #outgrow(): void {
    const isBehind = this.#missed > 0;
    this.#miss(this.house.statuses.version);
    if (!isBehind && !this.#reading) void this.#readAgain(false);
  }

  #fill(statuses: Statuses, hall: Hall, objects: Objects): Change {
    const change = takeSnapshot(statuses, hall, { ...objects, type: 'snapshot' });
    if (change.unknown) this.#miss(objects.snapshotVersion);
    return change;
  }

  /** The divisions that are hidden at `version`. */
  #noteHidden(now: string[], version: number): void {
    const before = this.#hidden;
    this.#doubted = JSON.stringify(now);
    this.#hidden = before === null && this.#isBeforeChart(version) ? null : this.#doubted;
    const isSame = before === null ? version <= this.#chart.version : before === this.#doubted;
    if (!isSame && !this.#reading) void this.#readAgain();
  }

  #believe({ hidden, snapshotVersion: version }: Objects): void {
    this.#doubted = JSON.stringify(hidden);
    this.#hidden = version > this.#chart.version || this.#isBeforeChart(version) ? null : this.#doubted;
  }

  /** The chart may lack divisions that were hidden only after `version`. */
  #isBeforeChart(version: number): boolean {
    return version < this.#chart.version && this.#chart.version !== Number.POSITIVE_INFINITY;
  }

  async #readAgain(wasBehind = this.#missed > 0): Promise<void> {
    this.#pause.end();
    this.#reading = true;
    const { isStale, version } = this.house.statuses;
    const list = await this.#api.call<OpenedSale>('GET', 'chart?files=1');
    const wanted = lastSnapshot(this.#waiting) ? 'none' : 'fresh';
    const read = list.ok ? await readChart(this.#api, list.value, this.#chart, wanted) : list;
    this.#reading = false;
    const isTaken = read.ok && this.#takeChart(read.value, isStale ? 0 : version);
    if (!isTaken) this.#miss(lastSnapshot(this.#waiting)?.snapshotVersion ?? 0);
    for (const frame of this.#waiting.splice(0)) this.#take(frame);
    if (this.#missed === 0) this.#pause.reset();
    else if (!this.#isReading() && isTaken && !wasBehind) void this.#readAgain();
    else if (!this.#isReading()) this.#pause.begin();
  }

  /** False if the page needs a later chart or later statuses. `shown` is the version that the page has. */
  #takeChart(chart: ReadChart, shown: number): boolean {
    const snapshot = lastSnapshot(this.#waiting);
    const objects = snapshot ?? chart.objects;
    if (objects === null) return false;
    const { snapshotVersion: version, stale } = objects;
    if (snapshot ? chart.version < version : version < shown && !stale) {
      this.#miss(shown);
      return false;
    }
    if (snapshot) this.#waiting.splice(0, this.#waiting.indexOf(snapshot) + 1);
    const { house } = this;
    const isSameHall = chart.hall === house.hall;
    this.#chart = chart;
    this.#believe(objects);
    if (Math.min(version, chart.version) >= this.#missed) this.#missed = 0;
    const statuses = isSameHall ? house.statuses : noStatuses(chart.hall);
    const change = this.#fill(statuses, chart.hall, objects);
    if (isSameHall) {
      house.event = chart.event;
      this.#taken(change);
      this.#hear(objects);
    } else {
      Object.assign(house, build(chart, statuses), { offers: house.offers, waiting: house.waiting });
      this.#listener.rebuilt();
      this.#hear(objects);
      this.#listener.priced();
    }
    return !change.unknown;
  }

  /** The version to resume after. A stale page resumes from nothing: a snapshot alone tells that the event is whole. */
  #resumedFrom(): number {
    const { isStale, version } = this.house.statuses;
    if (isStale) return 0;
    return this.#hidden === null ? Math.min(version, this.#chart.version) : version;
  }

  /** For a page without a socket. A map that a frame has overtaken changes nothing. A stale one may be older. */
  async #look(): Promise<Result<unknown>> {
    const answer = await this.#readStatuses();
    if (answer.ok && (answer.value.stale || answer.value.snapshotVersion >= this.house.statuses.version)) {
      this.#take({ type: 'snapshot', ...answer.value });
    }
    return answer;
  }

  /**
   * An address that is no longer found says nothing of the page's own access: the call with its credential does. The
   * address of a session of channels lacks a channel that got its first seat later. The call's answer has it.
   */
  async #readStatuses(): Promise<Result<Objects>> {
    const statusesUrl = this.#reachesChannels ? null : this.#chart.statusesUrl;
    const open = statusesUrl && (await this.#api.load<Objects>(statusesUrl, 'no-cache', true));
    if (open && (open.ok || open.status !== 404)) return open;
    this.#chart = { ...this.#chart, statusesUrl: null };
    return this.#api.call<Objects>('GET', 'objects?compact=1', { once: true });
  }
}

function lastSnapshot(frames: readonly FeedFrame[]): SnapshotFrame | null {
  const last = frames.map(({ type }) => type).lastIndexOf('snapshot');
  return last === -1 ? null : (frames[last] as SnapshotFrame);
}

const saleOf = (answer: Availability) => ({
  offers: [offersOf(answer)],
  waiting: pauseOf(answer),
  salesEndAt: answer.salesEndAt ?? null,
  companionsUntil: answer.companionsUntil ?? null,
});

function build({ event, hall }: ReadChart, statuses: Statuses): House {
  return {
    event,
    hall,
    offers: [bareOffers],
    statuses,
    waiting: pauseOfEvent(event, statuses),
    salesEndAt: event.salesEndAt ?? null,
    companionsUntil: event.companionsUntil ?? null,
    performances: [],
    lackingOf: () => [],
  };
}

export function offersOf({ prices = [], offers = [], linkedOffers = [], channelPricing }: Availability): Offers {
  return {
    isTold: true,
    prices,
    releases: offers,
    linked: linkedOffers,
    channels: channelPricing?.channels ?? [],
    channelOf: new Map(channelPricing?.objects.map(({ label, channelId }) => [label, channelId])),
  };
}
