/** What /metrics tells of the shard's events in memory. */
import { Gauge, type Registry } from 'prom-client';
import type { EventMemory } from '../event-memory.ts';

export function measureMemory(memory: EventMemory, registry: Registry): void {
  const measures: [name: string, help: string, read: () => number][] = [
    ['inventory_events_loaded', 'Events in memory.', () => memory.loaded],
    ['inventory_events_asleep', 'Events that only their next deadline is in memory of.', () => memory.asleep],
    ['inventory_memory_bytes', 'What the loaded events take in memory, estimated.', () => memory.bytes],
    ['inventory_memory_bound_bytes', 'INVENTORY_MEMORY_MB, in bytes.', () => memory.bytesMax],
    ['inventory_activations_total', 'Events loaded since the start.', () => memory.activations],
    ['inventory_passivations_total', 'Events that left memory since the start.', () => memory.passivations],
  ];
  for (const [name, help, read] of measures) {
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
