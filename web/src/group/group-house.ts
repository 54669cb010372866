/**
 * The sale of a performance group: the group, its chart, the prices of all performances, and one map of them, which the
 * page reads again and again.
 *
 * States: opening → open → (reading the chart anew, when the map has an unknown label) → open. Failures: without the
 * group or its chart there is no sale, and the answer says why; a map that a newer one has overtaken changes nothing; a
 * chart that cannot be read anew stays, and the next map with an unknown label starts another reading; without prices
 * the chart's prices stay.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import { keepLooking } from '../feed/looks.ts';
import type { Words } from '../messages/words.ts';
import { hallOf } from '../rules/hall.ts';
import { frameOf, type GroupMap, hasUnknownArea, type Performance, performanceNames } from '../rules/performances.ts';
import { bareOffers } from '../rules/prices.ts';
import { noStatuses, takeSnapshot } from '../rules/statuses.ts';
import { awaitedOf, closedIf, pauseOf, type SalePause } from '../rules/waiting.ts';
import type { Availability } from '../sale/api.ts';
import type { Result } from '../sale/calls.ts';
import { type House, type HouseListener, type OpenedHouse, offersOf } from '../sale/house.ts';
import type { GroupApi } from './group-api.ts';

type Group = {
  key: string;
  name: string;
  state: string;
  venue: string | null;
  timezone: string | null;
  currency: string;
  priceUnit?: PriceUnit;
  performances: Performance[];
};

type Opened = { group: Group; doc: ChartDocument; chartEtag: string | null };

export type GroupHouse = OpenedHouse & {
  names: ReadonlyMap<string, string>;
  /** Reads the map now. */
  look(): Promise<Result<unknown>>;
};

export async function openGroup(
  api: GroupApi,
  words: () => Words,
  listener: HouseListener,
): Promise<Result<GroupHouse>> {
  const opened = await read(api);
  if (!opened.ok) return opened;
  const { group, doc } = opened.value;
  const eventKeys = group.performances.map(({ eventKey }) => eventKey);
  const names = performanceNames(words(), group.performances);
  let { chartEtag } = opened.value;
  let mapEtag: string | null = null;
  let partial: GroupMap['partial'] = {};
  let isClosed = false;
  let awaited: SalePause | null = null;
  const house = build(group, doc, (label) => (partial[label] ?? []).map((key) => names.get(key) ?? key));

  async function look(): Promise<Result<unknown>> {
    const answer = await api.news<GroupMap>('objects', mapEtag);
    const map = answer.ok ? answer.value : null;
    // A stale map may be older than the page.
    if (answer.ok && map && (map.stale || map.revision >= house.statuses.version)) {
      mapEtag = answer.etag ?? null;
      take(map);
    }
    return answer;
  }

  function take(map: GroupMap): void {
    ({ partial } = map);
    const frame = frameOf(map, house.hall.areas, eventKeys);
    const change = takeSnapshot(house.statuses, house.hall, frame);
    listener.changed(change);
    listener.heard((label) => frame.seats[label] ?? frame.default);
    if (isClosed !== map.salesClosed || change.turned) {
      isClosed = map.salesClosed;
      house.waiting = awaited ?? closedIf(isClosed);
      listener.priced();
    }
    if (change.unknown || hasUnknownArea(map, house.hall.areas)) void readChart();
  }

  /** A division that was hidden may be on sale now. */
  async function readChart(): Promise<void> {
    const chart = await api.news<ChartDocument>('chart', chartEtag);
    if (!chart.ok || !chart.value) return;
    chartEtag = chart.etag ?? null;
    const hall = hallOf(chart.value);
    Object.assign(house, { hall, statuses: noStatuses(hall) });
    mapEtag = null;
    listener.rebuilt();
    await look();
  }

  async function readSale(): Promise<void> {
    const answer = await api.call<{ performances: Availability[] }>('GET', 'availability', { once: true });
    if (answer.ok) {
      const { performances } = answer.value;
      awaited = awaitedOf(performances.map(pauseOf));
      Object.assign(house, saleOf(performances), { waiting: awaited ?? closedIf(isClosed) });
    }
    listener.priced();
  }

  void readSale();
  return {
    ok: true,
    value: {
      house,
      names,
      look,
      follow: (connection) => keepLooking(look, connection),
      readSale: async (isUrgent = false) => void (await Promise.all([readSale(), isUrgent ? look() : null])),
    },
  };
}

const saleOf = (performances: readonly Availability[]) => ({
  offers: performances.map(offersOf),
  salesEndAt: firstEnd(performances),
  companionsUntil: lastRelease(performances),
});

function firstEnd(performances: readonly Availability[]): number | null {
  const ends = performances.flatMap(({ salesEndAt }) => salesEndAt ?? []);
  return ends.length > 0 ? Math.min(...ends) : null;
}

/** Companions' places are for all once they are so in every performance. */
function lastRelease(performances: readonly Availability[]): number | null {
  const times = performances.map(({ companionsUntil = null }) => companionsUntil ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...times);
  return Number.isFinite(last) ? last : null;
}

async function read(api: GroupApi): Promise<Result<Opened>> {
  const described = await api.enter<{ performanceGroup: Group }>('descriptor');
  if (!described.ok) return described;
  const chart = await api.call<ChartDocument>('GET', 'chart');
  if (!chart.ok) return chart;
  const { value: doc, etag = null } = chart;
  return { ok: true, value: { group: described.value.performanceGroup, doc, chartEtag: etag } };
}

function build(group: Group, doc: ChartDocument, lackingOf: House['lackingOf']): House {
  const { key, name, state: status, venue, timezone, currency, priceUnit, performances } = group;
  const hall = hallOf(doc);
  return {
    event: {
      ...{ key, name, status, salesClosed: false, venue, startsAt: null, timezone, locale: null, currency },
      ...(priceUnit && { priceUnit }),
    },
    hall,
    statuses: noStatuses(hall),
    performances,
    lackingOf,
    waiting: null,
    salesEndAt: null,
    companionsUntil: null,
    offers: performances.map(() => bareOffers),
  };
}
