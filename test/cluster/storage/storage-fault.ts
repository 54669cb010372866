/**
 * One run: sellers sell, the storage of NATS is struck under them, a struck server of several becomes the leader of the
 * journals, and the shards are killed. Sellers sell all the while. In the end:
 * - No acknowledged seat can be sold to another reference.
 * - Each event that lost an acknowledged sale is halted, and each halted event has lost something.
 * - `npx parterre status`, `/health/ready` and the shards' metrics name the halted events.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { groupsOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { isStreamMissing, storedMessage } from '@parterre/shared/runtime/stored-message';
import { expect } from 'vitest';
import { lookAtShards } from '../../../scripts/status/main.ts';
import { connectTo } from '../../support/servers/nats.ts';
import { openStruck, type Place, partitions, type Struck } from './deployments.ts';
import type { StorageFault } from './faults.ts';
import { type Attempt, attempt, isHalt, isSale, openSellers } from './sellers.ts';

const salesBefore = 120;
const probesAtOnce = 8;

/** `seconds`: the longest time without an answered sale around the strike: of all events, and of those that sell on. */
export type Outcome = { halted: string[]; lostSales: number; seconds: { all: number; each: number; halt: number } };

export async function runStorageFault(fault: StorageFault, place: Place, sync = '2m'): Promise<Outcome> {
  const struck = await openStruck(place, sync, fault.needsDisk ?? false);
  try {
    const sellers = await openSellers(struck.access);
    sellers.start();
    await sellers.sales(salesBefore);
    if (fault.remember) struck.beneath(fault.remember);
    await sellers.sales(salesBefore);
    const struckAt = performance.now();
    if (fault.isAtRest) {
      await sellers.stop();
      await struck.strikeAtRest(fault.strike);
      sellers.start();
    } else await struck.strike(fault.strike);
    await sellers.settled(struckAt);
    if (place.of > 1) {
      await struck.makeLeader();
      await sellers.settled(performance.now());
    }
    const killedAt = performance.now();
    await struck.killShards();
    await sellers.settled(killedAt);
    await sellers.stop();
    return await outcomeOf(struck, sellers, struckAt, killedAt);
  } catch (error) {
    console.log(struck.output());
    throw error;
  } finally {
    await struck.stop();
  }
}

type Sold = { eventKeys: readonly string[]; attempts: readonly Attempt[] };

async function outcomeOf(
  struck: Struck,
  { eventKeys, attempts }: Sold,
  struckAt: number,
  killedAt: number,
): Promise<Outcome> {
  const sales = attempts.filter(isSale);
  const halted = await haltedAmong(struck, sales);
  const { kept, unreadable } = await bookingsInJournals(struck.natsUrl());
  const isKept = ({ eventKey, bookingRef }: Attempt): boolean => kept.has(`${eventKey} ${bookingRef}`);
  const lost = sales.filter((sale) => !isKept(sale));
  const eventsWithLoss = new Set(lost.map(({ eventKey }) => eventKey));
  const withLoss = eventKeys.filter((eventKey) => eventsWithLoss.has(eventKey));
  console.log({ halted, withLoss, unreadable, uncounted: await uncountedOf(struck, sales) });
  if (unreadable.length === 0) expect(halted).toEqual(withLoss);
  await expectNamed(struck, halted);
  const before = attempts.filter(({ sentAt }) => sentAt < killedAt);
  const gapOf = (chosen: readonly Attempt[]): number => longestGap(chosen.filter(isSale), struckAt);
  const selling = eventKeys.filter((eventKey) => !halted.includes(eventKey));
  const gaps = selling.map((eventKey) => gapOf(before.filter((each) => each.eventKey === eventKey)));
  const firstHalts = halted.map((eventKey) => attempts.find((each) => each.eventKey === eventKey && isHalt(each))!);
  const halt = Math.max(0, ...firstHalts.map(({ answeredAt }) => answeredAt - struckAt));
  const seconds = { all: gapOf(before), each: Math.max(0, ...gaps), halt };
  for (const key of ['all', 'each', 'halt'] as const) seconds[key] = Math.round(seconds[key] / 100) / 10;
  return { halted, lostSales: lost.length, seconds };
}

/** The longest time between two sales of which the second was answered after `time`. */
function longestGap(sales: readonly Attempt[], time: number): number {
  const times = sales.map(({ answeredAt }) => answeredAt).sort((one, other) => one - other);
  const gaps = times.slice(1).map((at, index) => (at > time ? at - times[index]! : 0));
  return Math.max(0, ...gaps);
}

/** Tries to sell each sold seat to another reference. Returns the events that are halted, in their order. */
async function haltedAmong({ access }: Struck, sales: readonly Attempt[]): Promise<string[]> {
  const waiting = [...sales];
  const halted = new Set<string>();
  const open: string[] = [];
  async function probe({ eventKey, label }: Attempt): Promise<void> {
    const answer = async (): Promise<Attempt> => attempt(access, { eventKey, label, bookingRef: `probe-${label}` });
    let last = await answer();
    for (
      const until = performance.now() + 30_000;
      performance.now() < until && last.status !== 409 && !isHalt(last);
    ) {
      if (isSale(last)) break;
      last = await answer();
    }
    if (isHalt(last)) halted.add(eventKey);
    else if (last.status !== 409) open.push(`${eventKey} ${label}: ${last.status} ${last.code}`);
  }
  async function probeAll(): Promise<void> {
    for (let sale = waiting.shift(); sale; sale = waiting.shift()) await probe(sale);
  }
  await Promise.all(Array.from({ length: probesAtOnce }, probeAll));
  expect(open, 'seats that were sold twice, or events that answer nothing').toEqual([]);
  return [...new Set(sales.map(({ eventKey }) => eventKey))].filter((eventKey) => halted.has(eventKey)).sort();
}

/** The events whose last sale the catalog does not list. */
async function uncountedOf({ access }: Struck, sales: readonly Attempt[]): Promise<string[]> {
  const last = new Map(sales.map((sale) => [sale.eventKey, sale]));
  const uncounted: string[] = [];
  for (const { eventKey, bookingRef } of last.values()) {
    const ask = () =>
      fetch(`${access.url}/v1/events/${eventKey}/bookings/${bookingRef}`, {
        headers: { Authorization: `Bearer ${access.token}` },
      });
    let { status } = await ask();
    for (let tries = 0; status !== 200 && tries < 5; tries++) {
      await pause(1_000);
      status = (await ask()).status;
    }
    if (status !== 200) uncounted.push(eventKey);
  }
  return uncounted;
}

/**
 * `event reference` of each booking that the leaders can read from the journals, message by message, and the messages
 * that they cannot read.
 */
async function bookingsInJournals(natsUrl: string): Promise<{ kept: Set<string>; unreadable: string[] }> {
  const nats = await connectTo(natsUrl);
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5_000 });
  const bookings = new Set<string>();
  const unreadable: string[] = [];
  async function read(stream: string, sequence: number): Promise<void> {
    const message = await storedMessage(manager, stream, sequence).catch((error: Error) => {
      unreadable.push(`${stream} ${sequence}: ${error.message}`);
      return null;
    });
    for (const { eventKey, data } of message ? groupsOf(message.subject, message.data) : []) {
      for (const record of readGroup(data).records) {
        if (record.type === 'booked') bookings.add(`${eventKey} ${record.bookingRef}`);
      }
    }
  }
  for (let partition = 0; partition < partitions; partition++) {
    const stream = names.journalStream(partition);
    const info = await manager.streams.info(stream).catch((error) => {
      if (!isStreamMissing(error)) throw error;
      return null;
    });
    for (let sequence = 1; sequence <= (info?.state.last_seq ?? 0); sequence++) await read(stream, sequence);
  }
  await nats.close();
  return { kept: bookings, unreadable };
}

/** Status, readiness and metrics name the halted events. The demo's event may be halted beside them. */
async function expectNamed({ dataDir, access, metrics }: Struck, halted: readonly string[]): Promise<void> {
  const seen = await lookAtShards({ PARTERRE_DATA: dataDir }, dataDir);
  if ('problem' in seen) throw new Error(seen.problem);
  const { report, isHalted } = seen;
  const named = report.events.map(({ event }) => event).filter((event) => event.startsWith('night-'));
  expect(named.sort(), 'status').toEqual(halted);
  if (halted.length > 0) expect(isHalted).toBe(true);
  const ready = async (): Promise<number> => {
    const response = await fetch(`${access.url}/health/ready`);
    return ((await response.json()) as { haltedEvents: number }).haltedEvents;
  };
  await expect.poll(ready).toBe(report.haltedEvents);
  const texts = await Promise.all(metrics().map(async (address) => (await fetch(address)).text()));
  for (const eventKey of halted) {
    expect(texts.join('\n'), 'metrics').toMatch(new RegExp(`inventory_event_halted\\{[^}]*"${eventKey}"[^}]*\\} 1`));
  }
}
