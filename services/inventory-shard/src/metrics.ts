/** The shard's part of /metrics: its events in memory and its part of the cluster. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Ownership } from './cluster/cluster.ts';
import type { EventMemory } from './partition/partition.ts';

type Measure = [name: string, help: string, read: () => number];

export function measureMemory(memory: EventMemory, registry: Registry): void {
  measure(registry, [
    ['inventory_events_loaded', 'Events in memory.', () => memory.loaded],
    ['inventory_events_asleep', 'Events that have only their next deadline in memory.', () => memory.asleep],
    ['inventory_memory_bytes', 'Estimated memory of the loaded events, in bytes.', () => memory.bytes],
    ['inventory_memory_bound_bytes', 'INVENTORY_MEMORY_MB, in bytes.', () => memory.bytesMax],
    ['inventory_activations_total', 'Events loaded since the start.', () => memory.activations],
    ['inventory_passivations_total', 'Events that left memory since the start.', () => memory.passivations],
  ]);
}

export function measureOwnership(ownership: Ownership, registry: Registry): void {
  measure(registry, [
    ['inventory_partitions_owned', 'Partitions that this shard owns.', () => ownership.owned().length],
    ['inventory_partitions_lost_total', 'Partitions that another shard took from this one.', () => ownership.losses],
    ['inventory_members', 'Living shards as this shard sees them, itself included.', () => ownership.memberCount()],
  ]);
}

function measure(registry: Registry, measures: Measure[]): void {
  for (const [name, help, read] of measures) {
    if (name.endsWith('_total')) {
      measureTotal(registry, name, help, read);
      continue;
    }
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
}

/** A value that only grows while the process runs. */
function measureTotal(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
