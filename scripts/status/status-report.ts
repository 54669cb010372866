/**
 * The partitions of a deployment as their owners tell them. Pure. The owner of a partition is the shard that claims it
 * with the highest epoch: a replaced owner may go on beating for a moment.
 */
import type { Beat } from '../../shared/src/protocol/beat.ts';
import type { ShardStatus } from '../../shared/src/protocol/shard-status.ts';

export type StatusReport = {
  haltedPartitions: number;
  haltedEvents: number;
  partitions: PartitionLine[];
  /** A shard names the first thousand events of each partition. */
  events: { event: string; partition: number; reason: string }[];
};

/** `owner` and `epoch` are null where no shard claims the partition. */
type PartitionLine = {
  partition: number;
  owner: string | null;
  epoch: number | null;
  state: string;
  haltedEvents: number;
  reason: string | null;
};

export function statusReport(
  partitionCount: number,
  beats: readonly Beat[],
  answers: readonly ShardStatus[],
): StatusReport {
  const report: StatusReport = { haltedPartitions: 0, haltedEvents: 0, partitions: [], events: [] };
  for (let partition = 0; partition < partitionCount; partition++) {
    const claim = claimOn(partition, beats);
    const told = answers
      .find(({ id }) => id === claim?.owner)
      ?.partitions.find((status) => status.partition === partition);
    const state = told?.state ?? (claim === null ? 'without an owner' : 'its owner is silent');
    const { haltedEvents = 0, haltedBy: reason = null, events = [] } = told ?? {};
    const { owner = null, epoch = null } = claim ?? {};
    report.partitions.push({ partition, owner, epoch, state, haltedEvents, reason });
    if (reason !== null) report.haltedPartitions++;
    report.haltedEvents += haltedEvents;
    for (const halt of events) report.events.push({ event: halt.eventKey, partition, reason: halt.reason });
  }
  return report;
}

export function isAnythingHalted({ haltedPartitions, haltedEvents }: StatusReport): boolean {
  return haltedPartitions + haltedEvents > 0;
}

function claimOn(partition: number, beats: readonly Beat[]): { owner: string; epoch: number } | null {
  let claim: { owner: string; epoch: number } | null = null;
  for (const { id, owns } of beats) {
    for (const [number, epoch] of owns) {
      if (number === partition && (claim === null || epoch > claim.epoch)) claim = { owner: id, epoch };
    }
  }
  return claim;
}
