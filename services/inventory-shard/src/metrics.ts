/** What /metrics tells of the shard: its events in memory, and its part of the cluster. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Ownership } from './cluster/ownership.ts';
import type { EventMemory } from './partition/event-memory.ts';

type Measure = [name: string, help: string, read: () => number];

export function measureMemory(memory: EventMemory, registry: Registry): void {
  measure(registry, [
    ['inventory_events_loaded', 'Events in memory.', () => memory.loaded],
    ['inventory_events_asleep', 'Events that only their next deadline is in memory of.', () => memory.asleep],
    ['inventory_memory_bytes', 'What the loaded events take in memory, estimated.', () => memory.bytes],
    ['inventory_memory_bound_bytes', 'INVENTORY_MEMORY_MB, in bytes.', () => memory.bytesMax],
    ['inventory_activations_total', 'Events loaded since the start.', () => memory.activations],
    ['inventory_passivations_total', 'Events that left memory since the start.', () => memory.passivations],
  ]);
}

export function measureOwnership(ownership: Ownership, registry: Registry): void {
  measure(registry, [
    ['inventory_partitions_owned', 'Partitions that this shard owns.', () => ownership.owned().length],
    ['inventory_partitions_lost_total', 'Partitions that another shard took from this one.', () => ownership.losses],
    ['inventory_members', 'Shards that this one takes for alive, itself included.', () => ownership.memberCount()],
  ]);
}

function measure(registry: Registry, measures: Measure[]): void {
  for (const [name, help, read] of measures) {
    if (name.endsWith('_total')) {
      count(registry, name, help, read);
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

/** What only grows while the process runs. */
function count(registry: Registry, name: string, help: string, read: () => number): void {
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
