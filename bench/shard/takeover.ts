/**
 * The cost of a takeover: `npm run bench -- takeover`. A partition of `EVENTS` events at rest, of which `ACTING` have a
 * hold, on a nats-server of its own. Each event has a current snapshot. Prints the time until an heir watches every
 * deadline, the heir's requests and the bytes that it receives: with a roster, with a roster that is `TAIL` groups
 * old, all of them of `BUSY` events, and without a roster.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import { encodeCommit, encodePart, linkAfter } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { ensureJournalStream } from '../../services/inventory-shard/src/journal/streams.ts';
import { eventConfig, hold, smallPlan } from '../../test/support/inventory/house.ts';
import { ownPartition, type PartitionOwner } from '../../test/support/partition/owner.ts';
import { startNats } from '../../test/support/servers/nats.ts';

const EVENTS = 20_000;
const ACTING = 50;
const TAIL = 4_000;
const BUSY = 40;
const BATCH = 500;
const quietMs = 500;

const by = { source: 'server', actor: 'key_bench' } as const;
const keyOf = (n: number): string => `night-${n}`;

async function main(): Promise<void> {
  const server = await startNats({ sync: '2m' });
  const nats = await connect({ servers: server.url });
  try {
    await ensureJournalStream(await jetstreamManager(nats), 0, 1);
    await journal(nats, EVENTS, created, EVENTS);
    const one = await ownPartition({ nats, number: 0, name: 'one' });
    await surveyed(nats, one);
    for (let n = 0; n < ACTING; n++) {
      const held = await one.ask(keyOf(n), { ...hold('h', 'A-1'), ttlMs: 60 * MINUTE_MS });
      if (held.kind !== 'ok') throw new Error(`a hold was answered ${held.kind}`);
    }
    await one.partition.snapshotAll(10 * MINUTE_MS);
    await tell(server.url, 'with a roster');
    await journal(nats, TAIL, (n) => ({ type: 'hold-ttl-set', holdTtlMs: n, by }), BUSY);
    await tell(server.url, `with a roster that is ${TAIL} groups old`);
    await new Objm(jetstream(nats)).open(names.snapshotBucket).then((objects) => objects.delete('_.roster.0'));
    await tell(server.url, 'without a roster');
  } finally {
    await nats.close();
    await server.stop();
  }
}

const created = (n: number): JournalRecord => ({ type: 'created', config: eventConfig({ eventKey: keyOf(n) }), by });

/** The sequence of each event's last group that `journal` published. */
const lastOf = new Map<string, number>();
const linkBehind = new Map<string, Link>();

/** Publishes groups of one record, of the last `events` events in turn. */
async function journal(
  nats: NatsConnection,
  count: number,
  recordOf: (n: number) => JournalRecord,
  events: number,
): Promise<void> {
  const client = jetstream(nats);
  const manager = await jetstreamManager(nats);
  let sequence = (await manager.streams.info(names.journalStream(0))).state.last_seq;
  for (let first = 0; first < count; first += BATCH) {
    await Promise.all(
      Array.from({ length: BATCH }, (_, i) => {
        const n = EVENTS - events + ((first + i) % events);
        const event = keyOf(n);
        const from = lastOf.get(event) ?? 0;
        const link = linkBehind.get(event) ?? linkOf(event);
        const part = encodePart({ event, from, at: Date.now(), plan: smallPlan.hash, link, records: [recordOf(n)] });
        linkBehind.set(event, linkAfter(part));
        lastOf.set(event, ++sequence);
        const commit = encodeCommit({ epoch: 1, n: 1, low: 0, link: linkOf('before') }, [part]);
        return client.publish(subjects.journal(0, event), commit);
      }),
    );
  }
}

/** Resolves with the time at which the owner sent its last request. */
async function surveyed(nats: NatsConnection, { memory }: PartitionOwner): Promise<number> {
  let last = performance.now();
  for (let before = ''; performance.now() - last < quietMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = `${nats.stats().outMsgs} ${memory.loaded} ${memory.asleep}`;
    if (now !== before) last = performance.now();
    before = now;
  }
  return last;
}

async function tell(url: string, what: string): Promise<void> {
  const nats = await connect({ servers: url });
  const startedAt = performance.now();
  const heir = await ownPartition({ nats, number: 0, name: what });
  const ms = (await surveyed(nats, heir)) - startedAt;
  const { outMsgs, inBytes } = nats.stats();
  const { asleep, loaded } = heir.memory;
  console.log(
    `${what}: ${ms.toFixed(0)} ms, ${outMsgs} requests, ${(inBytes / 1e6).toFixed(1)} MB, ${asleep} asleep, ${loaded} loaded`,
  );
  await nats.close();
}

await main();
