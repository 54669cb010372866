/**
 * One run: sellers sell, the storage of NATS is struck under them, a struck server of several becomes the leader of the
 * journals, and the shards are killed. Sellers sell all the while. In the end:
 * - No acknowledged seat can be sold to another reference.
 * - Each event that lost an acknowledged sale is halted, and each halted event has lost something.
 * - `npx parterre status`, `/health/ready` and the shards' metrics name the halted events.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import { groupsOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { isStreamMissing, storedMessage } from '@parterre/shared/runtime/stored-message';
import { expect } from 'vitest';
import { perform } from '../../../scripts/status/main.ts';
import type { StatusReport } from '../../../scripts/status/rules/status-report.ts';
import { connectTo } from '../../support/servers/nats.ts';
import { openStruck, partitions, type Struck, type StruckServers } from './deployments.ts';
import type { StorageFault } from './faults.ts';
import { type Attempt, attempt, isHalt, isSale, openSellers } from './sellers.ts';

const salesBefore = 120;
const probesAtOnce = 8;

/**
 * `unreadable`: messages that the leaders count and cannot read. `seconds`: the longest time without an answered sale
 * behind the strike, of all events together and of each event that sells on; the time until the last halt; and the
 * longest time without a sale once all shards were killed.
 */
export type Outcome = {
  halted: string[];
  lostSales: number;
  unreadable: number;
  seconds: { all: number; each: number; halt: number; shards: number };
};

export async function runStorageFault(fault: StorageFault, place: StruckServers, sync = '2m'): Promise<Outcome> {
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
  const lost = sales.filter(({ eventKey, bookingRef }) => !kept.has(`${eventKey} ${bookingRef}`));
  const withLoss = eventKeys.filter((eventKey) => lost.some((sale) => sale.eventKey === eventKey));
  // Another copy or a snapshot may still have a part that the leader cannot read.
  if (unreadable === 0) expect(halted).toEqual(withLoss);
  else expect(withLoss).toEqual(expect.arrayContaining(halted));
  await expectNamed(struck, sales);
  const before = attempts.filter(({ sentAt }) => sentAt < killedAt);
  const gapOf = (chosen: readonly Attempt[]): number => longestGap(chosen.filter(isSale), struckAt);
  const selling = eventKeys.filter((eventKey) => !halted.includes(eventKey));
  const gaps = selling.map((eventKey) => gapOf(before.filter((each) => each.eventKey === eventKey)));
  const firstHalts = halted.map((eventKey) => attempts.find((each) => each.eventKey === eventKey && isHalt(each))!);
  const halt = Math.max(0, ...firstHalts.map(({ answeredAt }) => answeredAt - struckAt));
  const after = selling.flatMap((eventKey) => attempts.filter((each) => each.eventKey === eventKey && isSale(each)));
  const seconds = { all: gapOf(before), each: Math.max(0, ...gaps), halt, shards: longestGap(after, killedAt) };
  for (const key of ['all', 'each', 'halt', 'shards'] as const) seconds[key] = Math.round(seconds[key] / 100) / 10;
  const lostSales = lost.filter(({ eventKey }) => halted.includes(eventKey)).length;
  return { halted, lostSales, unreadable, seconds };
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
  async function probe(sale: Attempt): Promise<void> {
    const { eventKey, label } = sale;
    const answer = (): Promise<Attempt> => attempt(access, otherReference(sale));
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

/**
 * `event reference` of each booking that the leaders can read from the journals, message by message. Nothing is deleted
 * from a journal, so a message within it that is answered like none is one that the leader cannot read.
 */
async function bookingsInJournals(natsUrl: string): Promise<{ kept: Set<string>; unreadable: number }> {
  const nats = await connectTo(natsUrl);
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5_000 });
  const kept = new Set<string>();
  let unreadable = 0;
  async function read(stream: string, sequence: number): Promise<void> {
    const message = await storedMessage(manager, stream, sequence);
    if (message === null) unreadable++;
    for (const { eventKey, data } of message ? groupsOf(message.subject, message.data) : []) {
      for (const record of readGroup(data).records) {
        if (record.type === 'booked') kept.add(`${eventKey} ${record.bookingRef}`);
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
  return { kept, unreadable };
}

/**
 * Status, readiness and metrics name the halted events. The demo's event may be halted beside them. An event of which
 * one copy is whole may be halted and come back, so all four are asked again until they agree.
 */
async function expectNamed({ dataDir, access, metrics }: Struck, sales: readonly Attempt[]): Promise<void> {
  const soldOf = new Map(sales.map((sale) => [sale.eventKey, sale]));
  async function seen() {
    const answers = await Promise.all([...soldOf.values()].map((sale) => attempt(access, otherReference(sale))));
    const halted = answers.filter(isHalt).map(({ eventKey }) => eventKey);
    const asked = { command: 'status', given: {}, version: '0', say() {} };
    const told = await perform({ ...asked, env: { PARTERRE_DATA: dataDir }, cwd: dataDir });
    if ('problem' in told) return told.problem;
    const report = told.facts as StatusReport;
    const isHalted = report.haltedPartitions + report.haltedEvents > 0;
    const named = report.halted.map(({ event }) => event).filter((event) => soldOf.has(event));
    const ready = (await (await fetch(`${access.url}/health/ready`)).json()) as { haltedEvents: number };
    const texts = await Promise.all(metrics().map(async (address) => (await fetch(address)).text()));
    const measured = [...texts.join('\n').matchAll(/inventory_event_halted\{[^}]*event="([^"]+)"[^}]*\} 1/g)];
    const inMetrics = measured.map(([, event]) => event!).filter((event) => soldOf.has(event));
    const others = report.haltedEvents - named.length;
    return {
      status: String(named.sort()) === String(halted.sort()) && isHalted === report.haltedEvents > 0,
      metrics: String([...new Set(inMetrics)].sort()) === String(halted),
      ready: ready.haltedEvents === halted.length + others,
    };
  }
  await expect.poll(seen, { timeout: 40_000, interval: 500 }).toEqual({ status: true, metrics: true, ready: true });
}

/** The same seat for somebody else. */
function otherReference({ eventKey, label }: Attempt) {
  return { eventKey, label, bookingRef: `probe-${label}` };
}
