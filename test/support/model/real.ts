/**
 * The real rules beside the reference: an event's actor, cut as its partition cuts it, with a journal in memory that is
 * encoded as in production. Each part is read back at once, and its records must be equal. All commands in the mailbox
 * go into one group. A read of the event ends the mailbox, since a reader answers it behind the group.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Caller, Command, Reply } from '@parterre/shared/protocol/commands';
import { encodePart, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { EventConfig, JournalRecord } from '@parterre/shared/protocol/records';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import {
  type Actor,
  cut,
  type Job,
  newActor,
  replyOf,
  wakeAt,
} from '../../../services/inventory-shard/src/partition/actor.ts';
import { changesChart } from '../../../services/inventory-shard/src/rules/chart/chart.ts';
import {
  answerRead,
  type EventRead,
  isLargeRead,
  isVersionedRead,
} from '../../../services/inventory-shard/src/rules/reads/event-reads.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { liveDeadlines } from '../../../services/inventory-shard/src/rules/state/schedule.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { closeGroup, foldGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import {
  capture,
  fromSnapshot,
  type Snapshot,
  toSnapshot,
} from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { create } from '../inventory/channels.ts';
import { eventConfig } from '../inventory/house.ts';
import { noLink } from '../journal/links.ts';
import { charts, firstChart } from './reference/chart.ts';
import { firstPrices } from './reference/world.ts';

const server: Caller = { source: 'server', actor: 'key', accessSource: 'public' };

/** The answer, and the number of groups in the journal when the command was decided. */
export type JournaledReply = { reply: Reply; groups: number };

export class Real {
  readonly actor: Actor = newActor('model-night');
  readonly config: EventConfig;
  /** As bytes, so that the journal shares nothing with the state. */
  readonly journal: Uint8Array[] = [];
  /** The number of sold-out records. */
  soldOuts = 0;
  readonly #waiting: Job[] = [];
  #snapshot: { bytes: Uint8Array; groups: number } | null = null;

  constructor(ownership: EventConfig['ownership'], now: number) {
    this.config = eventConfig({ ownership, eventKey: 'model-night', planHash: firstChart.hash, chartVersion: 1 });
    this.actor.phase = 'ready';
    this.actor.planToCreate = firstChart.plan;
    this.ask({ type: 'create', config: this.config }, server);
    for (const [id, priceOverrides] of Object.entries(firstPrices)) {
      this.ask({ ...create(id, { priceOverrides }), callId: `create ${id}` }, server);
    }
    this.answers(now);
  }

  get state(): EventState {
    return this.actor.state!;
  }

  ask(command: Command, caller: Caller): void {
    const plan = changesChart(command) ? { plan: charts[command.planHash]!.plan } : {};
    const envelope = { id: 0, eventKey: 'model-night', caller, command };
    this.#waiting.push({ envelope, replyTo: 'model.1', receivedAt: 0, ...plan });
  }

  /** The answers of all waiting commands, in order. Due changes come first, even without commands. */
  answers(now: number): JournaledReply[] {
    const heard: JournaledReply[] = [];
    do {
      if (this.actor.mailbox.length === 0) this.#fillMailbox();
      const groups = this.journal.length;
      const { at, records, replies } = cut(this.actor, now, 0, () => false);
      heard.push(...replies.map(({ reply }) => ({ reply, groups })));
      if (records.length > 0) this.#append(at, records);
      heard.push(...this.#reads());
    } while (this.#hasWork(now));
    return heard;
  }

  #hasWork(now: number): boolean {
    const waits = this.#waiting.length + this.actor.mailbox.length > 0;
    return waits || (wakeAt(this.actor) ?? Number.POSITIVE_INFINITY) <= now;
  }

  #fillMailbox(): void {
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
      this.actor.mailbox.push(job);
      const { command } = job.envelope;
      if (isLargeRead(command) || isVersionedRead(command)) return;
    }
  }

  /** The answers of the reader. */
  #reads(): JournaledReply[] {
    return this.actor.reads.splice(0).map(({ envelope }) => {
      const value = answerRead(this.state, envelope.command as EventRead);
      return { reply: replyOf(envelope, { kind: 'ok', value }), groups: this.journal.length };
    });
  }

  #append(at: number, records: JournalRecord[]): void {
    this.soldOuts += records.filter(({ type }) => type === 'sold-out').length;
    const { hash: plan } = this.state.plan;
    const data = encodePart({ event: 'model-night', from: this.journal.length, at, plan, link: noLink, records });
    const read = readGroup(data).records;
    if (!isDeepStrictEqual(read, records))
      throw new Error(`written ${JSON.stringify(records)}, read ${JSON.stringify(read)}`);
    this.journal.push(data);
    closeGroup(this.state, this.journal.length);
  }

  /** Takes a snapshot as production does. The test folds the rest from it at the end. */
  takeSnapshot(): void {
    this.#snapshot = { bytes: encodeKept(toSnapshot(capture(this.state))), groups: this.journal.length };
  }

  folded(): EventState {
    return this.#fold(newState(this.config, firstChart.plan), 0);
  }

  /** The state folded from the snapshot, or null without one. */
  resumed(): EventState | null {
    if (!this.#snapshot) return null;
    const snapshot = decodeKept<Snapshot>(this.#snapshot.bytes);
    return this.#fold(fromSnapshot(snapshot, charts[snapshot.config.planHash]!.plan), this.#snapshot.groups);
  }

  #fold(state: EventState, from: number): EventState {
    for (let i = from; i < this.journal.length; i++) {
      const group = readGroup(this.journal[i]!);
      foldGroup(state, group, i + 1, charts[group.plan]!.plan);
    }
    return state;
  }
}

/** The content of a state. The plan counts by its hash; indexes are left out. */
export function contentOf(state: EventState): object {
  const { plan, deadlines: _, ...rest } = state;
  const live = liveDeadlines(state);
  const deadlines = [];
  for (let next = live.pop(); next; next = live.pop()) deadlines.push(JSON.stringify(next));
  return { ...rest, plan: plan.hash, deadlines: deadlines.sort(), snapshot: toSnapshot(capture(state)) };
}
