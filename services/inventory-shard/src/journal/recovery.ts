/**
 * Brings an event back: loads its last snapshot, then folds its journal from there to the event's last group. Recovery
 * runs only behind the partition's fence, so that no other process appends meanwhile (I3).
 *
 * Failure while the journal streams in: the link is lost, and the library may wait for messages that never come. After
 * `replayStallMs` without a message the load fails, and its caller tries again (I8). The load also fails when the
 * catalog cannot give a plan that a group names: an event that changed its chart needs the plan of every folded group.
 */
import { DeliverPolicy, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { Plan } from '@parterre/shared/chart/plan';
import type { Clock } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import type { PlanSource } from '@parterre/shared/plans';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { type EventState, newState } from '../rules/state/state.ts';
import { foldGroup, fromSnapshot } from '../rules/turn/turn.ts';
import { replayMessagesAhead, replayStallMs } from './bounds.ts';
import type { SnapshotStore } from './snapshots.ts';

/** `storedVersion`: the sequence of the snapshot under the state, 0 without a snapshot. */
export type LoadedEvent = { state: EventState; storedVersion: number };

/** An event and the number of groups in its journal. */
export type JournaledEvent = { eventKey: string; groups: number };

export type EventLoader = {
  /**
   * The state folded from the event's whole journal, or null without a journal. Throws when the journal cannot be read.
   */
  load(eventKey: string): Promise<LoadedEvent | null>;
  /** Every event with a journal in the partition. */
  events(): Promise<JournaledEvent[]>;
};

export function createEventLoader(
  jetstream: JetStreamClient,
  manager: JetStreamManager,
  snapshots: SnapshotStore,
  plans: PlanSource,
  partition: number,
  clock: Clock,
): EventLoader {
  const stream = names.journalStream(partition);

  /** Asks at the same time for the journal's end, the snapshot, and the plan that the snapshot names. */
  async function load(eventKey: string): Promise<LoadedEvent | null> {
    const subject = subjects.journal(partition, eventKey);
    const end = manager.streams.getMessage(stream, { last_by_subj: subject }).then((last) => last?.seq ?? 0);
    const snapshot = await snapshots.load(eventKey, end, (planHash) => void plans(planHash).catch(() => {}));
    const lastSequence = await end;
    if (lastSequence === 0) return null;
    const state = snapshot && fromSnapshot(snapshot, await plans(snapshot.config.planHash));
    const storedVersion = snapshot?.version ?? 0;
    if (state && storedVersion >= lastSequence) return { state, storedVersion };
    return { state: await replay(subject, state, lastSequence), storedVersion };
  }

  async function replay(subject: string, from: EventState | null, lastSequence: number): Promise<EventState> {
    const consumer = await jetstream.consumers.get(stream, {
      // One subject, not a list: servers before 2.10 take no list.
      filter_subjects: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: (from?.version ?? 0) + 1,
    });
    let state = from;
    const messages = await consumer.consume({ max_messages: replayMessagesAhead });
    const watch = watchStall(clock, () => messages.stop());
    try {
      for await (const message of messages) {
        watch.progress();
        const group = decodeKept<Group>(message.data);
        const plan = state?.plan.hash === group.plan ? state.plan : await plans(group.plan);
        state ??= begin(group, subject, plan);
        foldGroup(state, group, message.seq, plan);
        if (message.seq >= lastSequence) break;
      }
    } finally {
      watch.end();
      messages.stop();
      // Not awaited, and a failure does not matter: the server forgets an idle consumer by itself.
      consumer.delete().catch(() => {});
    }
    if (state?.version !== lastSequence) throw new Fault(`replay ${subject} to sequence ${lastSequence}`);
    return state;
  }

  function begin(group: Group, subject: string, plan: Plan): EventState {
    const first = group.records[0];
    if (first?.type !== 'created') throw new Fault(`replay ${subject}: its first record is not a created record`);
    return newState(first.config, plan);
  }

  async function events(): Promise<JournaledEvent[]> {
    const info = await manager.streams.info(stream, { subjects_filter: subjects.journalOfPartition(partition) });
    const found: JournaledEvent[] = [];
    for (const [subject, groups] of Object.entries(info.state.subjects ?? {})) {
      const eventKey = eventKeyOf(subject);
      if (eventKey !== null) found.push({ eventKey, groups });
    }
    return found;
  }

  return { load, events };
}

/** Calls `onStall` once when no message has come for `replayStallMs`. */
function watchStall(clock: Clock, onStall: () => void): { progress(): void; end(): void } {
  let cameSince = false;
  let cancel = (): void => {};
  const arm = (): void => {
    cancel = clock.after(replayStallMs, () => {
      if (!cameSince) return onStall();
      cameSince = false;
      arm();
    });
  };
  arm();
  return {
    progress: () => {
      cameSince = true;
    },
    end: () => cancel(),
  };
}
