/** The shard's part of /metrics: its events in memory, its part of the cluster, its event loop and its readers. */
import type { Clock } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Ownership, StoreWatch } from './cluster/cluster.ts';
import type { LinkServer } from './links/link-server.ts';
import { type EventMemory, troubledEventsNamed } from './partition/partition.ts';
import type { Readers } from './readers/event-readers.ts';
import type { ReaderThread } from './readers/reader-thread.ts';

/** The time between two looks at the event loop. Each look wakes the shard up. */
const loopLookMs = 50;
const loopLateSeconds = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3];

import type { SteadyClock } from './steady-clock/steady-clock.ts';

type Measure = [name: string, help: string, read: () => number];

export function measureMemory(memory: EventMemory, registry: Registry): void {
  measure(registry, [
    ['inventory_events_loaded', 'Events in memory.', () => memory.loaded],
    ['inventory_events_asleep', 'Events that have only their next deadline in memory.', () => memory.asleep],
    ['inventory_memory_bytes', 'Estimated memory of the loaded events, in bytes.', () => memory.bytes],
    ['inventory_memory_bound_bytes', 'INVENTORY_MEMORY_MB, in bytes.', () => memory.bytesMax],
    ['inventory_activations_total', 'Events loaded since the start.', () => memory.activations],
    ['inventory_passivations_total', 'Events that left memory since the start.', () => memory.passivations],
    ['inventory_events_in_trouble', 'Events that cannot be loaded.', () => memory.troubles.size],
  ]);
  measureTroubles(memory, registry);
}

export function measureOwnership(ownership: Ownership, registry: Registry): void {
  measure(registry, [
    ['inventory_partitions_owned', 'Partitions that this shard owns.', () => ownership.owned().length],
    [
      'inventory_partitions_halted',
      'Partitions of this shard that are halted because their stream has lost its records.',
      () => ownership.owned().filter(({ partition }) => partition.state === 'halted').length,
    ],
    ['inventory_partitions_lost_total', 'Partitions that another shard took from this one.', () => ownership.losses],
    ['inventory_members', 'Living shards as this shard sees them, itself included.', () => ownership.memberCount()],
  ]);
}

/**
 * A timer every `loopLookMs` notes how late it fires. A long turn makes a timer late that falls due in it, by the rest
 * of the turn. The histogram thus tells for how much of the time the loop is late.
 */
export function measureLoop(clock: Pick<Clock, 'elapsed' | 'after'>, registry: Registry): void {
  const late = new Histogram({
    name: 'inventory_loop_late_seconds',
    help: 'How late a timer of the event loop fires, in seconds.',
    buckets: loopLateSeconds,
    registers: [registry],
  });
  const look = (dueAt: number): void => {
    const now = clock.elapsed();
    late.observe(Math.max(0, now - dueAt) / SECOND_MS);
    clock.after(loopLookMs, () => look(now + loopLookMs));
  };
  look(clock.elapsed());
}

export function measureClock(clock: SteadyClock, registry: Registry): void {
  measure(registry, [
    ['inventory_clock_offset_ms', "The shard's time minus the wall clock of its machine.", () => clock.offsetMs],
    ['inventory_clock_nats_offset_ms', "The time of NATS minus the shard's time.", () => clock.natsOffsetMs],
    ['inventory_clock_jumps_total', 'Jumps of the wall clock by more than a second.', () => clock.jumps],
  ]);
}

export function measureStorage(watch: StoreWatch, registry: Registry): void {
  measure(registry, [
    ['inventory_journal_available', '1 while the journal takes appends.', () => Number(watch.told().store === 'ok')],
    [
      'inventory_store_used_ratio',
      'The used share of the storage that NATS grants this deployment; 0 where its account has no limit.',
      () => watch.room.disk?.usedShare ?? 0,
    ],
  ]);
  const { disk } = watch;
  if (disk === null) return;
  measure(registry, [
    ['inventory_disk_used_ratio', 'The used share of the disk of the data folder.', () => disk.disk?.usedShare ?? 0],
    ['inventory_disk_free_bytes', 'Free bytes of the disk of the data folder.', () => disk.disk?.bytesFree ?? 0],
  ]);
}

export function measureLinks(links: LinkServer, registry: Registry): void {
  measure(registry, [['inventory_links', 'Front doors with a direct link to this shard.', () => links.size]]);
}

export function measureReaders(readers: Readers, thread: ReaderThread, registry: Registry): void {
  measure(registry, [
    [
      'inventory_reads_computed_total',
      'Answers to reads of events that were computed, not shared.',
      () => readers.computed,
    ],
    ['inventory_reader_deaths_total', 'Reader threads that died.', () => thread.deaths],
  ]);
}

/** Up to `troubledEventsNamed` events by key, and the events whose journal has lost records. */
function measureTroubles({ troubles }: EventMemory, registry: Registry): void {
  new Gauge({
    name: 'inventory_event_failed_tries',
    help: 'Failed tries in a row to load an event that cannot be loaded.',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [event, tries] of troubles.tries(troubledEventsNamed)) this.set({ event }, tries);
    },
  });
  new Gauge({
    name: 'inventory_event_halted',
    help: 'Events that are halted because their journal has lost records.',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      this.reset();
      for (const event of troubles.halted().slice(0, troubledEventsNamed)) this.set({ event }, 1);
    },
  });
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
