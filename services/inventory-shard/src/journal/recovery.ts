/**
 * Bringing an event back: its last snapshot, then its journal from there to the last group there is.
 * Must run behind the partition's epoch record, so that nobody else appends meanwhile (I3).
 *
 * Failure while the journal streams in: the link is lost, and the library may wait for messages that nobody will send
 * any more. After `replayStallMs` without one the load fails, and its caller tries again (I8). So it does when the catalog
 * cannot give a plan that a group names: an event that has changed its chart needs that of every group that is folded.
 */
import { DeliverPolicy, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { Plan } from '@parterre/shared/chart/plan';
import type { Clock } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import type { PlanSource } from '@parterre/shared/plans';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { replayMessagesAhead, replayStallMs } from '../rules/state/bounds.ts';
import { type EventState, newState } from '../rules/state/state.ts';
import { foldGroup } from '../rules/turn/apply.ts';
import { fromSnapshot } from '../rules/turn/snapshot.ts';
import type { SnapshotStore } from './snapshots.ts';

/** `storedVersion`: the sequence of the snapshot it was folded from, 0 without one. */
export type LoadedEvent = { state: EventState; storedVersion: number };

/** An event, and of how many groups its journal is. */
export type JournaledEvent = { eventKey: string; groups: number };

export type EventLoader = {
  /** The state folded from all that is journaled, or null when nothing is. Throws when it cannot be read. */
  load(eventKey: string): Promise<LoadedEvent | null>;
  /** Every event the partition has a journal of. */
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

  /** What can be asked for at once is asked for at once: the journal's end, the snapshot, and the plan that it names. */
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
      // Not a list: servers before 2.10 take one subject.
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
      // Not awaited, and no matter if it fails: the server forgets an idle consumer by itself.
      consumer.delete().catch(() => {});
    }
    if (state?.version !== lastSequence) throw new Fault(`replay ${subject} to sequence ${lastSequence}`);
    return state;
  }

  function begin(group: Group, subject: string, plan: Plan): EventState {
    const first = group.records[0];
    if (first?.type !== 'created') throw new Fault(`replay ${subject}: it does not begin with a created record`);
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

/** Calls `onStall` once when nothing has come for `replayStallMs`. */
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
