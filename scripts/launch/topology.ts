/**
 * The processes of this machine and their names: one of each kind under its own name, or several of each, numbered from
 * 1 (`inventory-shard-2`). The cluster's numbers are those of compose.yaml.
 */
import type { ServiceName } from './service-process.ts';

export type Kind = ServiceName | 'nats';

export type Topology = {
  counts: Readonly<Record<Kind, number>>;
  /** True when names end in a number, even with one process of a kind. */
  numbered: boolean;
};

export type Instance = { name: string; kind: Kind; number: number };

export const oneOfEach: Topology = {
  counts: { nats: 1, catalog: 1, 'inventory-shard': 1, notifier: 1, frontdoor: 1 },
  numbered: false,
};

export const clusterCounts: Topology['counts'] = {
  nats: 3,
  catalog: 2,
  'inventory-shard': 3,
  notifier: 2,
  frontdoor: 2,
};

const copiesMax = 3;

/**
 * At the first start of `npm start`. Each partition has a stream, and few streams make large commits. More shards than
 * partitions cannot share the work, so the number leaves room for a cluster.
 */
export const partitionsOfOneMachine = 16;

export function instancesOf({ counts, numbered }: Topology, kind: Kind): Instance[] {
  return Array.from({ length: counts[kind] }, (_, index) => ({
    name: numbered ? `${kind}-${index + 1}` : kind,
    kind,
    number: index + 1,
  }));
}

/** A numbered instance by its name, whether or not the topology starts with it; null for any other name. */
export function instanceNamed(name: string): Instance | null {
  const [, kind = '', number = ''] = /^([a-z-]+)-([1-9]\d{0,2})$/.exec(name) ?? [];
  return kind in clusterCounts ? { name, kind: kind as Kind, number: Number(number) } : null;
}

/** The number of copies of a stream that this many servers can keep. */
export function copiesOf({ counts }: Topology): number {
  return Math.min(counts.nats, copiesMax);
}
