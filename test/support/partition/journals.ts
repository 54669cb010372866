/**
 * Journals on real servers, for tests: they note each commit and why they break, and the stored messages can be read.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { encodePart, headOf } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { systemClock } from '@parterre/shared/runtime/clock';
import { Journal } from '../../../services/inventory-shard/src/journal/appends.ts';
import { createJetStreamLog } from '../../../services/inventory-shard/src/journal/jetstream-log.ts';
import { noLink } from '../journal/links.ts';

export type TestJournal = Awaited<ReturnType<typeof journalOn>>;
export type Appended = { epoch: number; n: number; sequence: number };

/** A journal that notes its events. `end` resolves with the reason when the journal breaks for the first time. */
export async function journalOn(nats: NatsConnection, partition: number, owner: string) {
  const committed: number[] = [];
  let onCommit: () => void = () => {};
  let broken: (why: string) => void = () => {};
  const end = new Promise<string>((resolve) => {
    broken = resolve;
  });
  const client = jetstream(nats, { timeout: 2_000 });
  // No API check here: the stream exists, and its creation checked the account.
  const manager = await jetstreamManager(nats, { timeout: 2_000, checkAPI: false });
  const log = createJetStreamLog({ nats, client, manager }, partition);
  const journal = new Journal(
    log,
    systemClock,
    owner,
    {
      onCommitted: (sequence) => {
        committed.push(sequence);
        onCommit();
      },
      onBroken: (why) => broken(why),
    },
    () => 0,
  );
  return {
    journal,
    committed,
    end,
    commits: (count: number) =>
      new Promise<void>((resolve) => {
        onCommit = () => committed.length >= count && resolve();
        onCommit();
      }),
    append(): Appended {
      const sequence = journal.nextSequence;
      const data = encodePart({ event: 'event', from: sequence - 1, at: 1, plan: 'p', link: noLink, records: [] });
      const { epoch, nextNumber: n } = journal;
      journal.append([{ eventKey: 'event', data }]);
      return { epoch, n, sequence };
    },
  };
}

/** The epoch of every message in stream order, and whether the message is an epoch record. */
export async function epochsIn(
  nats: NatsConnection,
  partition: number,
): Promise<{ epoch: number; isRecord: boolean }[]> {
  const manager = await jetstreamManager(nats);
  const stream = names.journalStream(partition);
  const { last_seq: last } = (await manager.streams.info(stream)).state;
  const messages = await Promise.all(
    Array.from({ length: last }, (_, index) => manager.streams.getMessage(stream, { seq: index + 1 })),
  );
  return messages.map((message) => {
    const head = headOf(message!.data);
    return { epoch: head.epoch, isRecord: 'owner' in head };
  });
}

/**
 * Opens the journal, and tries again while JetStream does not answer yet: after a server's start or a cluster's new
 * leader.
 */
export async function reopened(journal: Journal): Promise<Awaited<ReturnType<Journal['open']>>> {
  for (;;) {
    try {
      return await journal.open();
    } catch {
      // not ready yet
    }
  }
}
