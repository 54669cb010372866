/**
 * The shard's part of /metrics: its commands, its events in memory, its part of the cluster, its event loop and its
 * readers. docs/metrics.md describes each family.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { counter, Durations, family, gauge, histogram, type Labels } from '@parterre/shared/runtime/measures';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { Registry } from 'prom-client';
import type { Ownership, StoreWatch } from './cluster/cluster.ts';
import type { LinkServer } from './links/link-server.ts';
import { type EventMemory, type Figures, HotEvents, troubledEventsNamed } from './partition/partition.ts';
import type { Readers } from './readers/event-readers.ts';
import type { ReaderThread } from './readers/reader-thread.ts';
import type { SteadyClock } from './steady-clock/steady-clock.ts';

/** The time between two looks at the event loop. Each look wakes the shard up. */
const loopLookMs = 50;
const loopLateMs = [1, 2, 5, 10, 25, 50, 100, 300, 1_000, 3_000];
/** Events have no bound, so only the hottest have a sample. */
const hotEventsNamed = 20;

type Measure = [name: string, help: string, read: () => number];

export function measureCommands(figures: Figures, registry: Registry): void {
  const commands = 'Commands that were carried out or refused, by type. Reads that take long are not counted.';
  family(registry, 'counter', 'inventory_commands_total', commands, () => figures.commands());
  const refusals = 'Refused commands, by type, code and reason.';
  family(registry, 'counter', 'inventory_refusals_total', refusals, () => figures.refusals());
  const { places, appends, waits } = figures;
  measure(registry, [
    ['inventory_places_held_total', 'Places that were held.', () => places.held],
    ['inventory_places_booked_total', 'Places that were booked: held, at a counter, or imported.', () => places.booked],
    ['inventory_places_freed_total', 'Places that became free again.', () => places.freed],
  ]);
  histogram(registry, 'inventory_append_seconds', 'From the send of an append to its ack.', () => [
    [noLabels, appends],
  ]);
  const wait = 'How long the first command of a cut has waited for its event.';
  histogram(registry, 'inventory_mailbox_wait_seconds', wait, () => [[noLabels, waits]]);
}

const noLabels: Labels = {};

export function measureMemory(memory: EventMemory, clock: Pick<Clock, 'elapsed'>, registry: Registry): void {
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
  const hot = new HotEvents(clock, () => memory.loadedActors);
  const rates = 'Commands a second of the hottest events, over the last one or two minutes.';
  family(registry, 'gauge', 'inventory_event_commands_per_second', rates, () => hot.rates(hotEventsNamed));
}

/** `partitions`: of the deployment. */
export function measureOwnership(
  ownership: Ownership,
  partitions: number,
  clock: Pick<Clock, 'elapsed'>,
  registry: Registry,
): void {
  const owned = () => ownership.owned().map(({ partition }) => partition);
  measure(registry, [
    ['inventory_partitions', 'Partitions of the deployment.', () => partitions],
    ['inventory_partitions_owned', 'Partitions that this shard owns.', () => owned().length],
    [
      'inventory_partitions_halted',
      'Partitions of this shard that are halted because their stream has lost its records.',
      () => owned().filter(({ state }) => state === 'halted').length,
    ],
    ['inventory_partitions_lost_total', 'Partitions that another shard took from this one.', () => ownership.losses],
    ['inventory_members', 'Living shards as this shard sees them, itself included.', () => ownership.memberCount()],
    [
      'inventory_oldest_command_age_seconds',
      'The age of the oldest command that waits for its event; 0 while none waits.',
      () => age(owned().map(({ oldestCommandAt }) => oldestCommandAt)),
    ],
    [
      'inventory_unacked_append_age_seconds',
      'The age of the oldest append without an ack; 0 while all have one.',
      () => age(owned().map(({ unackedSince }) => unackedSince)),
    ],
  ]);
  const owner = '1 for each partition that this shard has taken.';
  family(registry, 'gauge', 'inventory_partition_owner', owner, () =>
    ownership
      .owned()
      .filter(({ partition }) => partition.state !== 'opening')
      .map(({ number }) => [{ partition: String(number) }, 1]),
  );

  function age(times: (number | null)[]): number {
    const oldest = Math.min(...times.map((at) => at ?? Number.POSITIVE_INFINITY));
    return oldest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, clock.elapsed() - oldest) / SECOND_MS;
  }
}

/**
 * A timer every `loopLookMs` notes how late it fires. A long turn makes a timer late that falls due in it, by the rest
 * of the turn. The histogram thus tells for how much of the time the loop is late.
 */
export function measureLoop(clock: Pick<Clock, 'elapsed' | 'after'>, registry: Registry): void {
  const late = new Durations(loopLateMs);
  const help = 'How late a timer of the event loop fires, in seconds.';
  histogram(registry, 'inventory_loop_late_seconds', help, () => [[noLabels, late]]);
  const look = (dueAt: number): void => {
    const now = clock.elapsed();
    late.note(Math.max(0, now - dueAt));
    clock.after(loopLookMs, () => look(now + loopLookMs));
  };
  look(clock.elapsed());
}

export function measureClock(clock: SteadyClock, registry: Registry): void {
  measure(registry, [
    [
      'inventory_clock_offset_seconds',
      "The shard's time minus the wall clock of its machine.",
      () => clock.offsetMs / SECOND_MS,
    ],
    [
      'inventory_clock_nats_offset_seconds',
      "The time of NATS minus the shard's time.",
      () => clock.natsOffsetMs / SECOND_MS,
    ],
    ['inventory_clock_jumps_total', 'Jumps of the wall clock by more than a second.', () => clock.jumps],
  ]);
}

export function measureStorage(watch: StoreWatch, registry: Registry): void {
  measure(registry, [
    ['inventory_journal_available', '1 while the journal takes appends.', () => Number(watch.told().store === 'ok')],
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
  const tries = 'Failed tries in a row to load an event that cannot be loaded.';
  family(registry, 'gauge', 'inventory_event_failed_tries', tries, () =>
    Array.from(troubles.tries(troubledEventsNamed), ([event, failed]) => [{ event }, failed]),
  );
  const halted = 'Events that are halted because their journal has lost records.';
  family(registry, 'gauge', 'inventory_event_halted', halted, () =>
    troubles
      .halted()
      .slice(0, troubledEventsNamed)
      .map((event) => [{ event }, 1]),
  );
}

function measure(registry: Registry, measures: Measure[]): void {
  for (const [name, help, read] of measures) {
    if (name.endsWith('_total')) counter(registry, name, help, read);
    else gauge(registry, name, help, read);
  }
}
