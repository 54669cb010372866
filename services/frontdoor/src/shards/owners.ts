/**
 * A front door's beliefs about the owners of partitions. For a partition it knows the epoch of the last owner that it
 * heard of, and addresses that owner directly, so that a replaced owner that is not aware of it gets no commands.
 * Without a known epoch it addresses any shard that listens for the partition. Beliefs only choose where commands go.
 * Times are `Clock.elapsed`.
 */
import { orphanReportMs } from '@parterre/shared/protocol/limits';

const PROBE_EVERY_MS = 250;

export class Owners {
  private readonly epochs = new Map<number, number>();
  private readonly highest = new Map<number, number>();
  /** When a partition was last found without its owner. Commands that were sent before may be lost. */
  private readonly lostAt = new Map<number, number>();
  private readonly reportedAt = new Map<number, number>();
  /** The last empty batch to each partition. */
  private readonly probes = new Map<number, { batch: number; at: number }>();

  /** The epoch to address; null where no owner is known. */
  epochOf(partition: number): number | null {
    return this.epochs.get(partition) ?? null;
  }

  /** Takes an owner's claim. True if the owner is new. A zombie's claim has an older epoch and is ignored. */
  learn(partition: number, epoch: number, now: number): boolean {
    const highest = this.highest.get(partition) ?? 0;
    if (epoch < highest) return false;
    this.epochs.set(partition, epoch);
    if (epoch === highest) return false;
    this.highest.set(partition, epoch);
    this.lostAt.set(partition, now);
    return true;
  }

  /**
   * Notes that no shard listens for the partition. True if the front door should report this, at most once every
   * `orphanReportMs`.
   */
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

  /**
   * Whether it is time for a probe: an empty batch that shows whether a silent owner still listens. If so, notes
   * `batch` as the probe's number.
   */
  probe(partition: number, batch: number, now: number): boolean {
    const last = this.probes.get(partition);
    if (last && now < last.at + PROBE_EVERY_MS) return false;
    this.probes.set(partition, { batch, at: now });
    return true;
  }

  /** The partition that this empty batch probed, or null. */
  probedBy(batch: number): number | null {
    for (const [partition, probe] of this.probes) if (probe.batch === batch) return partition;
    return null;
  }
}
