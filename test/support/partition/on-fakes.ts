/** A partition on a fake journal and a fake loader. The test says when appends land and when loads fail. */
import type { Caller, Command, Reply } from '@parterre/shared/protocol/commands';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { type PackedGroup, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { createLog } from '@parterre/shared/runtime/log';
import { nothingAccepted } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import type { Journal, JournalEvents } from '../../../services/inventory-shard/src/journal/appends.ts';
import { readLeaseMs } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import type { LoadedEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import { EventMemory } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { Partition } from '../../../services/inventory-shard/src/partition/partition.ts';
import { Readers } from '../../../services/inventory-shard/src/readers/event-readers.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { foldGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { eventConfig, planNamed, START, smallPlan } from '../inventory/house.ts';
import { knownStream, noLink, noSalvage } from '../journal/links.ts';
import { ManualClock } from '../manual-clock.ts';

const eventKey = 'test-night';
const caller: Caller = { source: 'server', actor: 'key_test', accessSource: 'public' };

/** A commit. Its own fields are those of its first group. */
export type FakeCommit = EventGroup & { epoch: number; n: number; groups: Map<string, EventGroup> };

type More = { id?: number; copy?: number; eventKey?: string };

export const settled = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Appends land in `stream` when `land()` is called; loads fold what landed, or fail while `catalogIsDown`. Each load
 * tells that the replayed groups had `replayedBytes`.
 */
export async function partitionOnFakes({
  stream = [] as FakeCommit[],
  replayedBytes = 0,
  readers = new Readers(createLog('test', 'silent'), null) as Pick<Readers, 'read'>,
} = {}) {
  const clock = new ManualClock(START);
  const inFlight: FakeCommit[] = [];
  const replies: { frontDoor: string; reply: Reply }[] = [];
  const faults = {
    catalogIsDown: false,
    appendThrows: false,
    sendThrows: false,
    breaksWhileOpening: false,
    isTaken: false,
  };
  const lease = { leftMs: readLeaseMs };
  /** The outcome of each snapshot store, and the number of stores so far. */
  const snapshots = { outcome: Promise.resolve(true), count: 0 };
  const changes: FeedChange[] = [];
  let loads = 0;
  /** The time that passes at each look at the turn's clock. */
  const turnCost = { msPerQuestion: 0 };
  let spent = 0;
  const turnElapsed = (): number => {
    spent += turnCost.msPerQuestion;
    return clock.elapsed() + spent;
  };
  let events!: JournalEvents;
  let open = false;
  let epoch = 0;
  let n = 0;
  const journal = {
    get isOpen() {
      return open;
    },
    get inFlight() {
      return inFlight.length;
    },
    async open() {
      if (faults.isTaken && epoch > 0) return null;
      epoch++;
      n = 0;
      open = true;
      inFlight.length = 0;
      if (faults.breaksWhileOpening) this.breakOff('lost');
      faults.breaksWhileOpening = false;
      return { epoch, quietMs: 0, low: 0 };
    },
    get nextSequence() {
      return stream.length + inFlight.length + 1;
    },
    get nextNumber() {
      return n + 1;
    },
    get epoch() {
      return epoch;
    },
    append(parts: readonly PackedGroup[]) {
      if (faults.appendThrows) throw new Error('too large');
      const groups = new Map(parts.map(({ eventKey: key, data }) => [key, readGroup(data)]));
      inFlight.push({ ...groups.get(parts[0]!.eventKey)!, epoch, n: ++n, groups });
      if (faults.sendThrows) throw new Error('sent, perhaps');
    },
    breakOff(why: string) {
      if (!open) return;
      open = false;
      events.onBroken(why);
    },
    close: () => {},
    leaseLeft: () => lease.leftMs,
    handOver: async () => {
      open = false;
      return true;
    },
    landed: async (group: { sequence: number; epoch: number }) => stream[group.sequence - 1]?.epoch === group.epoch,
  };
  async function load(key: string): Promise<LoadedEvent | null> {
    loads++;
    if (faults.catalogIsDown) throw new Error('no plan');
    const state = newState(eventConfig(), smallPlan);
    let count = 0;
    for (const [i, { groups }] of stream.entries()) {
      const group = groups.get(key);
      if (!group) continue;
      foldGroup(state, group, i + 1, planNamed(group.plan));
      count++;
    }
    return count > 0
      ? { state, link: noLink, storedVersion: 0, replayed: { groups: count, bytes: replayedBytes } }
      : null;
  }
  const partition = new Partition({
    clock,
    log: createLog('test', 'silent'),
    plans: async (hash) => {
      if (faults.catalogIsDown) throw new Error('no plan');
      return planNamed(hash);
    },
    snapshots: {
      store: () => {
        snapshots.count++;
        return snapshots.outcome;
      },
      load: async () => null,
      head: async () => null,
    },
    memory: new EventMemory({ clock, log: createLog('test', 'silent'), bytesMax: 2 ** 30 }),
    turn: new LoopTurn({ elapsed: turnElapsed }),
    readers,
    rosters: { load: async () => null, store: async () => {} },
    remembered: new Remembered(),
    accepted: nothingAccepted,
    stream: knownStream,
    loader: {
      prepared: () => [],
      anchorOf: async () => null,
      ...noSalvage,
      load,
      events: async () => (stream.length > 0 ? [{ eventKey, groups: stream.length }] : []),
      changed: async () => [],
      sharedCommits: async () => [],
    },
    shared: new SharedParts(),
    openJournal: (handlers) => {
      events = handlers;
      return journal as unknown as Journal;
    },
    reply: ({ replyTo, reply }) => replies.push({ frontDoor: replyTo, reply }),
    publishChange: (_key, change) => changes.push(change),
    lost: () => {},
    connected: async () => {},
  });
  let lastId = 0;
  const put = (command: Command, more: More = {}): number => {
    const id = more.id ?? ++lastId;
    partition.submit({ envelope: { eventKey, ...more, id, caller, command }, replyTo: `inbox.${lastId}` });
    return id;
  };
  const send = (command: Command, more: More = {}): number => {
    const id = put(command, more);
    partition.pump();
    return id;
  };
  const land = (): void => {
    while (inFlight.length > 0) {
      stream.push(inFlight.shift()!);
      events.onCommitted(stream.length, clock.elapsed());
    }
  };
  return {
    clock,
    faults,
    lease,
    /** Appends land, but the partition does not hear of it. */
    landUnheard: () => stream.push(...inFlight.splice(0)),
    journal,
    changes,
    partition,
    stream,
    send,
    land,
    answers: (id: number) => replies.filter(({ reply }) => reply.id === id).map(({ reply }) => reply),
    inFlight,
    snapshots,
    loads: () => loads,
    turnCost,
    isOfDefaultEvent: ({ groups }: FakeCommit): boolean => groups.has(eventKey),
    /** Queues a command. It waits in the mailbox until the next `send`. */
    put: (command: Command): number => put(command),
    async create(key = eventKey) {
      send({ type: 'create', config: eventConfig({ eventKey: key }) }, { eventKey: key });
      await settled();
      land();
    },
    async ask(command: Command): Promise<Reply | undefined> {
      const id = send(command);
      await settled();
      clock.advance(0);
      land();
      await settled();
      return replies.find(({ reply }) => reply.id === id)?.reply;
    },
  };
}
