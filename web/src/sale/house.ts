/**
 * The sale that a page follows: event, chart, prices and statuses, kept up to date from the feed.
 *
 * States: opening → open → (reading the chart anew, when hidden scopes have changed or a label is unknown) → open.
 * Frames that arrive during a reading wait, and are then applied in order. Frames that the new reading already contains
 * change nothing. Too many frames are dropped, and the page reads again. When a reading fails, the former state stays,
 * and the next frame that does not fit, or that follows dropped frames, starts another reading. No frame tells that
 * sales were closed or reopened, or that their times were changed, so the owner calls `readSale` now and then.
 */

import type { Connection, FeedFrame } from '../feed/feed.ts';
import { followEvent } from '../feed/follow.ts';
import { createGrowingPause } from '../feed/growing-pause.ts';
import { type Hall, hallOf } from '../rules/hall.ts';
import type { Performance } from '../rules/performances.ts';
import { bareOffers, type Offers } from '../rules/prices.ts';
import { type Change, noStatuses, type Statuses, takeDelta, takeSnapshot } from '../rules/statuses.ts';
import { hasFree, pauseOf, pauseOfEvent, type SalePause, type ToldPause } from '../rules/waiting.ts';
import type { Api, BuyerEvent, Objects, Opened } from './api.ts';
import type { Result } from './calls.ts';

/** From `GET availability`: whether there is something to buy, and the prices. */
export type Availability = ToldPause & {
  salesEndAt?: number | null;
  companionsUntil?: number | null;
  prices?: Offers['prices'];
  offers?: Offers['releases'];
  linkedOffers?: Offers['linked'];
  channelPricing?: {
    channels: Offers['channels'];
    objects: { label: string; channelId: string }[];
  } | null;
};

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
  const opened = await api.open();
  if (!opened.ok) return opened;
  const house = build(opened.value);
  let reading = false;
  let waiting: FeedFrame[] = [];
  /** The version of the last dropped frame; 0 once a reading contains it. */
  let missed = 0;
  /** During a rush the readings of slow pages may fail or lag behind. They must not become a load of their own. */
  const pause = createGrowingPause(() => void readAgain());
  let hidden = opened.value.objects ? JSON.stringify(opened.value.objects.hidden) : null;
  let reachesChannels = false;
  let wasFree = hasFree(house.statuses);

  async function readAgain(wasBehind = missed > 0): Promise<void> {
    pause.end();
    reading = true;
    const chart = await api.call<Opened>('GET', 'chart');
    const objects = chart.ok ? await api.call<Objects>('GET', 'objects?compact=1') : null;
    reading = false;
    const isRead = chart.ok && objects?.ok === true;
    if (isRead) {
      Object.assign(house, build({ ...chart.value, objects: objects.value }), {
        offers: house.offers,
        waiting: house.waiting,
      });
      hidden = JSON.stringify(objects.value.hidden);
      if (objects.value.snapshotVersion >= missed) missed = 0;
      tellAnew(listener, objects.value);
    }
    for (const frame of waiting.splice(0)) take(frame);
    if (missed === 0) pause.reset();
    else if (!reading && isRead && !wasBehind) void readAgain();
    else if (!reading) pause.begin();
  }

  function take(frame: FeedFrame): void {
    if (reading) {
      waiting.push(frame);
      if (waiting.length <= WAITING_MAX) return;
      for (const each of waiting) if ('snapshotVersion' in each) missed = Math.max(missed, each.snapshotVersion);
      waiting = [];
      return;
    }
    if (frame.type === 'hidden') noteHidden(frame.hidden);
    else if (frame.type === 'snapshot') {
      noteHidden(frame.hidden);
      taken(takeSnapshot(house.statuses, house.hall, frame));
      listener.heard((label) => frame.seats[label] ?? frame.default);
    } else if (frame.type === 'delta') {
      taken(takeDelta(house.statuses, house.hall, frame));
      const said = new Map(frame.changes.map(({ label, status }) => [label, status]));
      listener.heard((label) => said.get(label));
    } else if (frame.type === 'allocation') void readSale();
  }

  function taken(change: Change): void {
    if (change.spots.length > 0 || change.areas.length > 0) listener.changed(change);
    if (change.turned) listener.priced();
    if (change.unknown && !reading) void readAgain();
    // Without a free place in reach, the channels may be sold out or paused: the server tells.
    if (reachesChannels && hasFree(house.statuses) !== wasFree) void readSale(true);
    wasFree = hasFree(house.statuses);
  }

  function noteHidden(now: string[]): void {
    const before = hidden;
    hidden = JSON.stringify(now);
    if (before !== null && before !== hidden && !reading) void readAgain();
  }

  async function readSale(isUrgent = false): Promise<void> {
    const answer = await api.call<Availability>('GET', `availability${isUrgent ? '?live=1' : ''}`, { once: true });
    if (!answer.ok) return;
    reachesChannels = answer.value.channelPricing != null;
    Object.assign(house, saleOf(answer.value));
    listener.priced();
  }

  void readSale();
  const look = () => lookAt(api, house, take);
  const follow = (connection: Connection) => {
    const feed = followEvent(api, { ...connection, frame: take, version: () => resumedFrom(house.statuses) }, look);
    const stop = () => {
      pause.end();
      feed.stop();
    };
    return { stop };
  };
  return { ok: true, value: { house, follow, readSale } };
}

const saleOf = (answer: Availability) => ({
  offers: [offersOf(answer)],
  waiting: pauseOf(answer),
  salesEndAt: answer.salesEndAt ?? null,
  companionsUntil: answer.companionsUntil ?? null,
});

/** Everything was read anew. */
function tellAnew(listener: HouseListener, { seats, default: usual }: Objects): void {
  listener.rebuilt();
  listener.heard((label) => seats[label] ?? usual);
  listener.priced();
}

/** A stale page resumes from nothing: a snapshot alone tells that the event is whole again. */
const resumedFrom = ({ isStale, version }: Statuses): number => (isStale ? 0 : version);

/** For a page without a socket. A map that a frame has overtaken changes nothing. A stale one may be older. */
async function lookAt(api: Api, house: House, take: (frame: FeedFrame) => void): Promise<Result<unknown>> {
  const answer = await api.call<Objects>('GET', 'objects?compact=1', { once: true });
  if (answer.ok && (answer.value.stale || answer.value.snapshotVersion >= house.statuses.version)) {
    take({ type: 'snapshot', ...answer.value });
  }
  return answer;
}

/** After an overflow the page reads everything again. */
const WAITING_MAX = 200;

function build({ event, doc, objects }: Opened): House {
  const hall = hallOf(doc);
  const statuses = noStatuses(hall);
  if (objects) takeSnapshot(statuses, hall, { type: 'snapshot', ...objects });
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
