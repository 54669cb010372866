/**
 * The time that it takes to load an event again: `npm run bench -- recovery`. One event of 100,000 seats on a
 * nats-server of its own (written to disk, synced every two minutes), half of it booked in its snapshot and `GROUPS`
 * groups journaled since. Prints the cost of freezing and storing that snapshot, then activations with nothing cached
 * (plan fetched, unpacked and compiled; snapshot fetched; journal replayed) and the replay of the whole journal without
 * a snapshot.
 */
import { gzipSync } from 'node:zlib';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { compilerThread, createPlanSource, PlanCompiler } from '@parterre/shared/charts/plans/plans';
import { linkOf } from '@parterre/shared/protocol/journal/links';
import { encodeCommit, encodePart, linkAfter } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord, Part } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { bowl } from '../../scripts/generate-charts.mjs';
import { JournalReader } from '../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../services/inventory-shard/src/journal/recovery.ts';
import { createSnapshotStore, freeze } from '../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { ensureJournalStream } from '../../services/inventory-shard/src/journal/streams.ts';
import { LoopTurn } from '../../services/inventory-shard/src/partition/loop-turn.ts';
import { newState } from '../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../services/inventory-shard/src/rules/turn/apply.ts';
import { bytesOf, bytesOfPlan } from '../../services/inventory-shard/src/rules/turn/size.ts';
import { fromSnapshot, type Snapshot } from '../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { startNats } from '../../test/support/servers/nats.ts';
import { benchEvent } from './event-config.ts';

const EVENT = 'gala';
const GROUPS = 5_000;
const PAIRS_PER_GROUP = 4;
const SEATS_PER_HOLD = 2;
const BOOKED_BEFORE = 50_000;
const ROUNDS = 7;
const BATCH = 500;

const log = createLog('bench', 'warn');
const by = { source: 'server', actor: 'key_bench' } as const;
const document = gzipSync(JSON.stringify(bowl()));
const catalog = (async () => ({ ok: true, value: { doc: document } })) as unknown as CatalogClient;
const plan = compilePlan(bowl() as unknown as ChartDocument, 'bowl');
const compiler = new PlanCompiler(systemClock, log, compilerThread(new URL('../../plan-compiler.js', import.meta.url)));
let turn = 0;
let unit = 0;

/** `pairs` holds of `SEATS_PER_HOLD` seats, each booked in the same group. Starts again when all seats are sold. */
function sale(pairs: number): JournalRecord[] {
  const records: JournalRecord[] = [];
  for (let i = 0; i < pairs; i++) {
    const id = `${++turn}`.padStart(8, '0');
    const lines = Array.from({ length: SEATS_PER_HOLD }, () => ({ unit: unit++ % plan.unitCount, price: 49.5 }));
    const [holdId, bookingRef, accessSource] = [`hold_${id}aaaaaaaaaaaaaa`, `order-${id}`, 'public'] as const;
    records.push({ type: 'held', holdId, expiresAt: Date.now() + 900_000, accessSource, lines, by });
    records.push({ type: 'booked', bookingRef, callId: `call_${id}aaaaaaaaaa`, holdId, accessSource, lines, by });
  }
  return records;
}

let linkBehind = linkOf(EVENT);

/** The event's next group, and its bytes. */
function partOf(n: number, records: JournalRecord[]): Part & { data: Uint8Array } {
  const part: Part = { event: EVENT, from: n - 1, at: Date.now(), plan: plan.hash, link: linkBehind, records };
  const data = encodePart(part);
  linkBehind = linkAfter(data);
  return { ...part, data };
}

async function main(): Promise<void> {
  const server = await startNats({ sync: '2m' });
  const nats = await connectNats({ url: server.url, name: 'bench' }, log);
  try {
    await measure(nats);
  } finally {
    await nats.close();
    await server.stop();
  }
}

async function measure(nats: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(nats);
  const client = jetstream(nats);
  const loopTurn = new LoopTurn(systemClock);
  const reader = new JournalReader(nats, systemClock);
  await ensureJournalStream(manager, 0, 1);
  const snapshots = createSnapshotStore(await new Objm(client).create(names.snapshotBucket), manager, log, loopTurn);
  const state = newState(benchEvent(plan.hash), plan);
  const groups = [partOf(1, [{ type: 'created', config: state.config, by }])];
  while (unit < BOOKED_BEFORE) groups.push(partOf(groups.length + 1, sale(PAIRS_PER_GROUP)));
  const before = heapBytes();
  for (const [i, group] of groups.entries()) {
    for (const record of group.records) apply(state, record, group.at);
    closeGroup(state, i + 1);
  }
  tell('state in memory, estimated', `${mb(bytesOf(state))} (heap grew by ${mb(heapBytes() - before)})`);
  tell('its plan, estimated', mb(bytesOfPlan(plan)));
  const compiles = [];
  for (let i = 0; i < ROUNDS; i++) compiles.push(await timed(() => createPlanSource(catalog, compiler)(plan.hash)));
  tell('plan compiled in its thread', say(median(compiles)));
  const freezes = [];
  for (let i = 0; i < ROUNDS; i++) freezes.push(await timed(() => freeze(state, linkBehind)));
  tell(`freeze, ${BOOKED_BEFORE} booked`, say(median(freezes)));
  tell('freeze and store', say(await timed(() => snapshots.store(freeze(state, linkBehind)))));
  const snapshotGroups = groups.length;
  while (groups.length < snapshotGroups + GROUPS) groups.push(partOf(groups.length + 1, sale(PAIRS_PER_GROUP)));
  for (let first = 0; first < groups.length; first += BATCH) {
    const batch = groups.slice(first, first + BATCH);
    await Promise.all(
      batch.map((part) => {
        const data = encodeCommit({ epoch: 1, n: part.from + 1, low: 0, link: linkOf('before') }, [part.data]);
        return client.publish(subjects.journal(0, EVENT), data);
      }),
    );
  }

  const fetches = [] as Time[];
  const builds = [] as Time[];
  for (let i = 0; i < ROUNDS; i++) {
    let read: Snapshot | null = null;
    fetches.push(
      await timed(async () => {
        read = (await snapshots.load(EVENT, { judge: async () => true, willNeed: () => {} }))!.snapshot;
      }),
    );
    builds.push(await timed(() => fromSnapshot(read!, plan)));
  }
  tell('snapshot fetched', say(median(fetches)));
  tell('state made of it', say(median(builds)));
  const cold = [];
  for (let i = 0; i < ROUNDS; i++) {
    const loader = createEventLoader(reader, manager, snapshots, createPlanSource(catalog, compiler), 0, loopTurn);
    cold.push(await timed(() => loader.load(EVENT)));
  }
  tell(`activation, ${GROUPS} groups after the snapshot, first`, say(cold[0]!));
  tell('the same, later ones with nothing cached', say(median(cold.slice(1))));
  const without = { ...snapshots, load: async () => null };
  const loader = createEventLoader(reader, manager, without, async () => plan, 0, loopTurn);
  const replays = [];
  for (let i = 0; i < ROUNDS; i++) replays.push(await timed(() => loader.load(EVENT)));
  const records = groups.reduce((sum, group) => sum + group.records.length, 0);
  tell(`replay of ${groups.length} groups, ${records} records`, say(median(replays)));
  const { wallMs, cpuMs } = median(replays);
  const perSecond = (ms: number): string => Math.round((records / ms) * 1000).toString();
  tell('records a second', `${perSecond(wallMs)} (${perSecond(cpuMs)} by CPU)`);
}

/** Milliseconds of wall time, and of this process' CPU, which stays the same on a busy machine. */
type Time = { wallMs: number; cpuMs: number };

async function timed(run: () => unknown): Promise<Time> {
  const since = performance.now();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - since, cpuMs: (user + system) / 1000 };
}

function median(times: Time[]): Time {
  const of = (key: keyof Time): number => times.map((time) => time[key]).sort((a, b) => a - b)[times.length >> 1]!;
  return { wallMs: of('wallMs'), cpuMs: of('cpuMs') };
}

function say({ wallMs, cpuMs }: Time): string {
  return `${wallMs.toFixed(1)} ms (CPU ${cpuMs.toFixed(1)} ms)`;
}

function heapBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function mb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function tell(what: string, figure: string): void {
  console.log(`${what.padEnd(52)} ${figure}`);
}

await main();
