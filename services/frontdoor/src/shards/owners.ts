/**
 * What a front door believes of the owners of partitions. Of each partition: the epoch of the last owner it heard of, whom
 * it can ask directly, so that one that was replaced and does not know it is not asked; or none, and then whoever listens
 * for the partition is asked. Beliefs only choose where commands go. Times are `Clock.elapsed`.
 */
import { orphanReportMs } from '@parterre/shared/limits';

const PROBE_EVERY_MS = 250;

export class Owners {
  private readonly epochs = new Map<number, number>();
  private readonly highest = new Map<number, number>();
  /** When a partition was last found without its owner: what was sent to it before may be lost. */
  private readonly lostAt = new Map<number, number>();
  private readonly reportedAt = new Map<number, number>();
  /** The last empty batch to each partition. */
  private readonly probes = new Map<number, { batch: number; at: number }>();

  /** The epoch to address, or null when none is known to be there. */
  epochOf(partition: number): number | null {
    return this.epochs.get(partition) ?? null;
  }

  /** A claim was heard; true when it is a new owner's. A zombie's is older than what was heard before. */
  learn(partition: number, epoch: number, now: number): boolean {
    const highest = this.highest.get(partition) ?? 0;
    if (epoch < highest) return false;
    this.epochs.set(partition, epoch);
    if (epoch === highest) return false;
    this.highest.set(partition, epoch);
    this.lostAt.set(partition, now);
    return true;
  }

  /** Nobody listens there. True when the shards should be told, which is not each time. */
  lose(partition: number, now: number): boolean {
    this.epochs.delete(partition);
    this.lostAt.set(partition, now);
    if (now < (this.reportedAt.get(partition) ?? Number.NEGATIVE_INFINITY) + orphanReportMs) return false;
    this.reportedAt.set(partition, now);
    return true;
  }

  /** Whether the owner was lost after `sentAt`. */
  wasLostSince(partition: number, sentAt: number): boolean {
    return (this.lostAt.get(partition) ?? Number.NEGATIVE_INFINITY) > sentAt;
  }

  /** Whether it is time to ask a silent owner with an empty batch whether it is there; `batch` is its number then. */
  probe(partition: number, batch: number, now: number): boolean {
    const last = this.probes.get(partition);
    if (last && now < last.at + PROBE_EVERY_MS) return false;
    this.probes.set(partition, { batch, at: now });
    return true;
  }

  /** The partition that was asked by this empty batch, or null. */
  probedBy(batch: number): number | null {
    for (const [partition, probe] of this.probes) if (probe.batch === batch) return partition;
    return null;
  }
}
