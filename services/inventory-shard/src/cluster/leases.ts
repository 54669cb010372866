/**
 * The owners of partitions, in the KV bucket `OWNERS` under the partition's number: a hint for shards that start and
 * for operators. When two owners write at once, the higher epoch stays.
 */
import type { KV, KvEntry } from '@nats-io/kv';
import { retryPauseMs } from '@parterre/shared/protocol/limits';
import { parseStored, type StoredForm } from '@parterre/shared/protocol/stored';
import { pause, systemClock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';

const ATTEMPTS_MAX = 5;

/** A hint in KV for shards that start and for operators: the owner of a partition, its epoch, and where it runs. */
export type Lease = { owner: string; epoch: number; at: number; process: string };

const leaseForm: StoredForm<Lease> = { owner: 'text', epoch: 'number', at: 'number', process: 'text' };

export type Leases = {
  /** Throws when the bucket cannot be read. */
  all(): Promise<Map<number, Lease>>;
  /** Never throws. Without a lease, a shard that starts may fence a living owner, which costs time and nothing else. */
  put(partition: number, lease: Lease): Promise<void>;
};

export function createLeases(bucket: KV, log: Logger): Leases {
  /** Null for an unreadable lease, which counts as missing: a lease is a hint. The next owner writes it anew. */
  function leaseIn(entry: KvEntry): Lease | null {
    try {
      return parseStored(`read the lease of partition ${entry.key}`, entry.string(), leaseForm);
    } catch (error) {
      log.warn({ err: error }, 'the lease counts as missing');
      return null;
    }
  }

  /** Null when the lease stands, else the cause. Another write may have come in between. */
  async function tryPut(key: string, lease: Lease): Promise<unknown> {
    const before = await bucket.get(key);
    if (before?.operation === 'PUT' && isAtLeast(leaseIn(before), lease)) return null;
    try {
      const value = JSON.stringify(lease);
      if (before) await bucket.update(key, value, before.revision);
      else await bucket.create(key, value);
      return null;
    } catch (error) {
      return error;
    }
  }

  return {
    async all() {
      const leases = new Map<number, Lease>();
      for await (const key of await bucket.keys()) {
        const entry = await bucket.get(key);
        const lease = entry?.operation === 'PUT' ? leaseIn(entry) : null;
        if (lease) leases.set(Number(key), lease);
      }
      return leases;
    },
    async put(partition, lease) {
      try {
        let cause: unknown = null;
        for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
          cause = await tryPut(String(partition), lease);
          if (cause === null) return;
          await pause(systemClock, retryPauseMs);
        }
        log.warn({ err: cause, partition }, 'lease not written');
      } catch (error) {
        log.warn({ err: error, partition }, 'lease not written');
      }
    },
  };
}

function isAtLeast(before: Lease | null, lease: Lease): boolean {
  return before !== null && before.epoch >= lease.epoch;
}
