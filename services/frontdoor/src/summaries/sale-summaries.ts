/**
 * Sale summaries of events, as bodies: from the front door's own data, up to SUMMARY_KEEP_MS old, or live. The replica
 * gives statuses and the channels of units. The event's actor gives ticket releases and the prices of channels; all
 * callers of this front door share one question to the actor for each SUMMARY_KEEP_MS.
 *
 * A body is made once for each sight of the replica and reach, as long as the other facts stay the same: a large event
 * takes a millisecond or two. A live answer asks for these facts anew, and then mostly finds its body made. No body is
 * kept beyond the moment at which the sale begins or ends, so each front door makes one body then, for all its callers.
 *
 * Callers that find nothing kept share the making, unless they ask live.
 *
 * Failure at each await: if the replica or the actor does not answer, the callers get the refusal, and nothing is kept.
 */

import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { eventCacheEntries, requestDeadlineMs, saleSummariesKept } from '@parterre/shared/protocol/limits';
import { unitOf } from '@parterre/shared/protocol/money';
import type { EventStatus } from '@parterre/shared/protocol/records';
import { saleStartOf } from '@parterre/shared/protocol/sale-times';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLoadingCache } from '@parterre/shared/runtime/loading-cache';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import type { EventsCache, KnownEvent } from '../admission/admission.ts';
import { type Spelled, spell } from '../answers/answers.ts';
import { audiencesPerEventMax } from '../feed-limits.ts';
import type { Feeds, Replica } from '../feeds/feeds.ts';
import { type Audience, stripped } from '../pictures/pictures.ts';
import type { ShardClient } from '../shards/shard-client.ts';
import { type SaleSummary, type SaleTimes, type Stopped, saleSummary, stageOf } from './rules/sale-summary.ts';
import { supplyOf } from './supply.ts';

/** Answers that are kept come without a promise. */
export type SaleSummaries = {
  /** The summary for a page that opens; null if the inventory does not tell it soon. */
  atOpening(event: KnownEvent, audience: Audience): ToldSale | null | Promise<ToldSale | null>;
  /** With `live` no kept summary is used: ticket releases, prices and the event's version are asked for again. */
  of(event: KnownEvent, audience: Audience, live: boolean): Outcome<ToldSale> | Promise<Outcome<ToldSale>>;
};

/** The state of a sale, and the summary with it as a body. The same object as long as it is kept. */
export type ToldSale = Pick<SaleSummary, 'state' | 'opensAt' | keyof SaleTimes> & {
  body: Spelled<SaleSummary, string>;
};

/** `until`: the time at which the sale begins or ends, which makes another body. [Infinity] */
type TimedSale = { sale: ToldSale; until: number };

/** A page that opens waits no longer for the summary: the map needs no word of the actor. */
const STATE_WAIT_MS = 250;

const SUMMARY_KEEP_MS = 1_000;
const reader: Caller = { source: 'timer', actor: null, accessSource: 'public' };

type Ports = { clock: Clock; shards: ShardClient; events: EventsCache; feeds: Feeds };

type Read = Extract<Command, { type: 'releases' | 'channel-records' }>;

/** The answers of events to one command, kept for a moment. */
function createReads<C extends Read>({ clock, shards, events }: Ports, command: C) {
  const bounds = { entriesMax: eventCacheEntries, keepMs: SUMMARY_KEEP_MS, staleMsMax: SUMMARY_KEEP_MS };
  return createLoadingCache<Answers[C['type']]>(clock, bounds, async (eventKey) => {
    const found = await events.get(eventKey);
    const deadlineAt = clock.elapsed() + requestDeadlineMs;
    return found.ok ? shards.submit(found.value.event, reader, command, deadlineAt) : found;
  });
}

export function createSaleSummaries(ports: Ports): SaleSummaries {
  const { clock, feeds } = ports;
  const kept = new RecentMap<TimedSale>(clock, { entriesMax: saleSummariesKept, keepMs: SUMMARY_KEEP_MS });
  const saleOf = createToldSales();
  const underWay = new Map<string, Promise<Outcome<ToldSale>>>();
  const releases = createReads(ports, { type: 'releases' });
  const channels = createReads(ports, { type: 'channel-records' });

  async function make({ event }: KnownEvent, audience: Audience, live: boolean): Promise<Outcome<TimedSale>> {
    const { key } = event;
    const reachesChannels = audience.reach !== null && audience.reach.channelIds.length > 0;
    if (live) for (const cache of [releases, channels]) cache.drop(key);
    const [replica, listed, priced] = await Promise.all([
      feeds.replicaOf(event),
      releases.get(key),
      reachesChannels ? channels.get(key) : noChannels,
    ]);
    if (!replica.ok) return replica;
    if (!listed.ok) return listed;
    if (!priced.ok) return priced;
    if (live) await replica.value.catchUpNow();
    const { status, salesPaused } = replica.value;
    const { currency } = event;
    const stopped = stoppedBy(status, salesPaused) ?? (sellsTo(audience, priced.value) ? null : 'channel_paused');
    const times = timesOf(listed.value, audience, priced.value);
    const stage = stageOf(times, clock.now());
    const asked = { currency, priceUnit: unitOf(event), stopped, ...listed.value, ...times, stage: stage.name };
    const sale = saleOf(replica.value, audience, JSON.stringify([asked, priced.value]), () =>
      saleSummary({ ...asked, ...shownIn(replica.value, audience, priced.value) }),
    );
    return done({ sale, until: stage.until });
  }

  function keptSale(name: string): ToldSale | null {
    const known = kept.get(name);
    return known && clock.elapsed() < known.until ? known.sale : null;
  }

  function keptOrMade(event: KnownEvent, audience: Audience): ToldSale | Promise<Outcome<ToldSale>> {
    const name = nameOf(event, audience);
    const known = keptSale(name) ?? underWay.get(name);
    if (known) return known;
    const making = makeAndKeep(event, audience, false).finally(() => underWay.delete(name));
    underWay.set(name, making);
    return making;
  }

  async function makeAndKeep(event: KnownEvent, audience: Audience, live: boolean): Promise<Outcome<ToldSale>> {
    const made = await make(event, audience, live);
    if (!made.ok) return made;
    const { sale, until } = made.value;
    const keepMs = Math.min(SUMMARY_KEEP_MS, until - clock.now());
    if (keepMs > 0) kept.set(nameOf(event, audience), { sale, until: clock.elapsed() + keepMs });
    return done(sale);
  }

  return {
    of(event, audience, live) {
      if (live) return makeAndKeep(event, audience, true);
      const sale = keptOrMade(event, audience);
      return sale instanceof Promise ? sale : done(sale);
    },

    atOpening(event, audience) {
      const sale = keptOrMade(event, audience);
      return sale instanceof Promise ? inTimeOrNull(clock, sale) : sale;
    },
  };
}

/** Makes a summary, or finds the one that was made of the same sight and facts. */
function createToldSales() {
  const bodies = new WeakMap<Replica, Map<string, { sale: ToldSale; sight: number; facts: string }>>();
  return (replica: Replica, { id }: Audience, facts: string, summed: () => SaleSummary): ToldSale => {
    let ofReaches = bodies.get(replica);
    if (!ofReaches) {
      ofReaches = new Map();
      bodies.set(replica, ofReaches);
    }
    const known = ofReaches.get(id);
    if (known?.sight === replica.sight && known.facts === facts) return known.sale;
    if (ofReaches.size >= audiencesPerEventMax) ofReaches.clear();
    const summary = summed();
    const { state, opensAt, salesStartAt, salesEndAt, companionsUntil } = summary;
    const sale = { state, opensAt, salesStartAt, salesEndAt, companionsUntil, body: spell(summary) };
    ofReaches.set(id, { sight: replica.sight, facts, sale });
    return sale;
  };
}

function nameOf({ event }: KnownEvent, { id }: Audience): string {
  return `${event.key} ${id}`;
}

function timesOf(
  { salesStartAt, salesEndAt, companionsUntil }: Answers['releases'],
  { reach }: Audience,
  priced: Answers['channel-records'] | null,
): SaleTimes {
  const channelNamed = (id: string) => priced?.channels.find((channel) => channel.id === id);
  const startsAt = saleStartOf(salesStartAt === undefined ? {} : { salesStartAt }, reach, channelNamed);
  return { salesStartAt: startsAt, salesEndAt: salesEndAt ?? null, companionsUntil: companionsUntil ?? null };
}

function inTimeOrNull(clock: Clock, making: Promise<Outcome<ToldSale>>): Promise<ToldSale | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(STATE_WAIT_MS, () => resolve(null));
    making.then((made) => resolve(made.ok ? made.value : null), reject).finally(cancel);
  });
}

function stoppedBy(status: EventStatus, salesPaused: boolean): Stopped | null {
  if (status !== 'active') return 'event_closed';
  return salesPaused ? 'sales_paused' : null;
}

/** Whether the reach has public sale, or a channel that is active. */
function sellsTo({ reach }: Audience, priced: Answers['channel-records'] | null): boolean {
  if (priced === null || reach === null || reach.includePublic) return true;
  return priced.channels.some(({ id, state }) => state === 'active' && reach.channelIds.includes(id));
}

const noChannels: Outcome<Answers['channel-records'] | null> = done(null);

/** All facts have the replica's version, except prices: prices may be a moment older. */
function shownIn({ plan, picture }: Replica, audience: Audience, priced: Answers['channel-records'] | null) {
  const { of, numbers, version } = picture.channels;
  const shown = picture.shownTo(audience);
  const ids = [...numbers.keys()];
  const supply = supplyOf(plan, shown, { of, ids });
  if (priced === null) return { supply, channels: null };
  const { has } = picture.inReach(audience);
  const isTold = (id: string): boolean => audience.reach!.channelIds.includes(id);
  const pricing = priced.channels
    .filter(({ id, state }) => state === 'active' && isTold(id))
    .map(({ id, pricingVersion, priceOverrides }) => ({ channelId: id, pricingVersion, priceOverrides }));
  const objects: { label: string; channelId: string }[] = [];
  for (let unit = 0; of !== null && unit < of.length; unit++) {
    const number = of[unit]!;
    if (number === 0 || has[number] !== 1 || shown[unit] === stripped) continue;
    objects.push({ label: plan.labels.at(unit), channelId: ids[number - 1]! });
  }
  return { supply, channels: { assignmentVersion: version, pricing, objects } };
}
