/**
 * Losses that the operator has accepted (I9): the entry `accepted.<event>` in the KV bucket CLUSTER, and
 * `accepted-stream.<partition>` for a halted partition. An entry has the highest sequence that evidence of the lost
 * history names. Evidence up to there that the journal lacks is overruled: stored
 * snapshots, the memory of any process, and the catalog's parts. Every sequence behind the break is higher, so evidence
 * of a later loss is never overruled.
 *
 * The entry is written when the part with the `accepted` record is durable (partition/acceptance.ts). It is read only
 * where evidence and journal differ. Failure at each await: NATS does not answer → the caller tries again.
 */
import { type KV, Kvm } from '@nats-io/kv';
import { names } from '@parterre/shared/protocol/subjects';
import type { NatsConnection } from '@parterre/shared/runtime/nats';

export type AcceptedLosses = {
  /** The sequence up to which evidence of the event is overruled, 0 without a loss. */
  upTo(eventKey: string): Promise<number>;
  note(eventKey: string, upTo: number): Promise<void>;
  /** The sequence up to which the catalog's position halts the partition no more, 0 without a loss. */
  ofStream(partition: number): Promise<number>;
  noteStream(partition: number, upTo: number): Promise<void>;
};

/** For journals that lose nothing. */
export const nothingAccepted: AcceptedLosses = {
  upTo: async () => 0,
  note: async () => {},
  ofStream: async () => 0,
  noteStream: async () => {},
};

export async function openAcceptedLosses(nats: NatsConnection): Promise<AcceptedLosses> {
  const bucket: KV = await new Kvm(nats).open(names.clusterBucket);
  const read = async (key: string): Promise<number> => {
    const entry = await bucket.get(key);
    return entry?.operation === 'PUT' ? Number(entry.string()) : 0;
  };
  const write = async (key: string, upTo: number): Promise<void> => {
    await bucket.put(key, String(upTo));
  };
  return {
    upTo: (eventKey) => read(keyOf(eventKey)),
    note: (eventKey, upTo) => write(keyOf(eventKey), upTo),
    ofStream: (partition) => read(keyOfStream(partition)),
    noteStream: (partition, upTo) => write(keyOfStream(partition), upTo),
  };
}

function keyOf(eventKey: string): string {
  return `accepted.${eventKey}`;
}

function keyOfStream(partition: number): string {
  return `accepted-stream.${partition}`;
}
