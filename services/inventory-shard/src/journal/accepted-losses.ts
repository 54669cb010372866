/**
 * Losses that the operator has accepted (I9): the entry `accepted.<event>` in the KV bucket CLUSTER. It has the highest
 * sequence that evidence of the lost history names. Evidence up to there that the journal lacks is overruled: stored
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
};

/** For journals that lose nothing. */
export const nothingAccepted: AcceptedLosses = { upTo: async () => 0, note: async () => {} };

export async function openAcceptedLosses(nats: NatsConnection): Promise<AcceptedLosses> {
  const bucket: KV = await new Kvm(nats).open(names.clusterBucket);
  return {
    async upTo(eventKey) {
      const entry = await bucket.get(keyOf(eventKey));
      return entry?.operation === 'PUT' ? Number(entry.string()) : 0;
    },
    async note(eventKey, upTo) {
      await bucket.put(keyOf(eventKey), String(upTo));
    },
  };
}

function keyOf(eventKey: string): string {
  return `accepted.${eventKey}`;
}
