/**
 * Which processes run on this machine, and what they are called: one of each kind under its own name, or several of each,
 * numbered from 1 (`inventory-shard-2`). The cluster's numbers are those of compose.yaml.
 */
import type { ServiceName } from './service-process.ts';

export type Kind = ServiceName | 'nats';

export type Topology = {
  counts: Readonly<Record<Kind, number>>;
  /** Whether names end in a number, also where there is only one. */
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

export function instancesOf({ counts, numbered }: Topology, kind: Kind): Instance[] {
  return Array.from({ length: counts[kind] }, (_, index) => ({
    name: numbered ? `${kind}-${index + 1}` : kind,
    kind,
    number: index + 1,
  }));
}

/** A numbered instance by its name, whether or not it is one of those a topology starts with; null for another name. */
export function instanceNamed(name: string): Instance | null {
  const [, kind = '', number = ''] = /^([a-z-]+)-([1-9]\d{0,2})$/.exec(name) ?? [];
  return kind in clusterCounts ? { name, kind: kind as Kind, number: Number(number) } : null;
}

/** How many copies of a stream so many servers of its own can keep. */
export function copiesOf({ counts }: Topology): number {
  return Math.min(counts.nats, copiesMax);
}
