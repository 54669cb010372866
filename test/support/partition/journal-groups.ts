/** Every commit group of the journals with its place (partition and sequence), read from the streams. */
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { Link } from '@parterre/shared/protocol/journal/links';
import { groupsOf, linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { connectTo } from '../servers/nats.ts';

const ANSWER_MS = 5_000;
/**
 * A cluster whose servers have just come back may place a consumer on a server that does not answer yet. The next try
 * goes to another server.
 */
const TRIES = 10;

/** `link`: the event's link behind the group. */
export type PlacedGroup = {
  eventKey: string;
  group: EventGroup;
  link: Link;
  place: { partition: number; sequence: number };
};

export async function readGroups(natsUrl: string, partitions: number): Promise<PlacedGroup[]> {
  const nats = await connectTo(natsUrl);
  const groups: PlacedGroup[] = [];
  try {
    const manager = await jetstreamManager(nats, { checkAPI: false, timeout: ANSWER_MS });
    for (let partition = 0; partition < partitions; partition++) {
      const stream = names.journalStream(partition);
      const { last_seq: last } = (await tried(() => manager.streams.info(stream))).state;
      if (last === 0) continue;
      const consumer = await tried(() =>
        jetstream(nats, { timeout: ANSWER_MS }).consumers.get(stream, {
          filter_subjects: subjects.journalOfPartition(partition),
          deliver_policy: DeliverPolicy.All,
        }),
      );
      for await (const message of await consumer.consume()) {
        const place = { partition, sequence: message.seq };
        for (const { eventKey, data } of groupsOf(message.subject, message.data)) {
          groups.push({ eventKey, group: readGroup(data), link: linkAfter(data), place });
        }
        if (message.seq >= last) break;
      }
      await consumer.delete();
    }
  } finally {
    await nats.close();
  }
  return groups;
}

async function tried<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}
