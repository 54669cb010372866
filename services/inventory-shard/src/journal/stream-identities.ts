/**
 * The identities of the journal streams that this deployment knows (I9): an entry for each partition in the KV bucket
 * CLUSTER. The first owner of a new stream draws the identity and notes it here. A stream that is missing, or has
 * another identity, has lost its records: its partition is halted, and no start makes the stream anew.
 *
 * Failure at each await: NATS does not answer → the caller tries again. A shard dies between the fence and the note →
 * the next owner notes the same identity, which stands in the stream.
 */
import { type KV, Kvm } from '@nats-io/kv';
import { names } from '@parterre/shared/protocol/subjects';
import type { NatsConnection } from '@parterre/shared/runtime/nats';

export class StreamIdentities {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  static async open(nats: NatsConnection): Promise<StreamIdentities> {
    return new StreamIdentities(await new Kvm(nats).open(names.clusterBucket));
  }

  /** The known identity of the partition's stream; null for a stream that was never fenced. */
  async of(partition: number): Promise<string | null> {
    const entry = await this.#bucket.get(keyOf(partition));
    return entry?.operation === 'PUT' ? entry.string() : null;
  }

  /** The operator goes on with another stream (cluster/acceptances.ts). */
  async forget(partition: number): Promise<void> {
    await this.#bucket.delete(keyOf(partition));
  }

  /** True when the deployment knows another stream of this partition. Notes the identity where it knows none. */
  async isAnother(partition: number, identity: string): Promise<boolean> {
    const known = await this.of(partition);
    if (known !== null) return known !== identity;
    // `create` also writes behind a deleted entry.
    await this.#bucket.create(keyOf(partition), identity);
    return false;
  }
}

function keyOf(partition: number): string {
  return `stream.${partition}`;
}
