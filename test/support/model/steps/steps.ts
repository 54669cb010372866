/**
 * Steps of a history: kinds of calls, each with its draws. The draws are picks ("the third of the free seats") that are
 * resolved when the step is taken, so that calls stay interesting while a history shrinks.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import type { World } from '../reference/world.ts';

/** Makes the command of the picks in this world, or null if the picks allow none. */
export type Draw = (world: World, sent: readonly Sent[]) => Command | null;
export type Sent = { command: Command; caller: Caller; at: number };

export type Kind = { name: string; weight: number; draws: fc.Arbitrary<Draw>; byBuyers: boolean };

export function kind<T>(
  name: string,
  weight: number,
  picks: fc.Arbitrary<T>,
  make: (world: World, picked: T, sent: readonly Sent[]) => Command | null,
  byBuyers = false,
): Kind {
  const draws = picks.map(
    (picked): Draw =>
      (world, sent) =>
        make(world, picked, sent),
  );
  return { name, weight, draws, byBuyers };
}

export function weighted<const T>(...pairs: [T, number][]): fc.Arbitrary<T> {
  return fc.oneof(...pairs.map(([value, weight]) => ({ weight, arbitrary: fc.constant(value) })));
}

export function oneOf<T>(list: readonly T[], n: number): T | undefined {
  return list[n % Math.max(list.length, 1)];
}

const number = fc.nat(9_999);

export const seatPick = fc.record({
  n: number,
  of: weighted(['free', 30], ['held', 2], ['booked', 2], ['blocked', 2], ['any', 2], ['unknown', 1]),
});
type SeatPick = { n: number; of: 'free' | 'held' | 'booked' | 'blocked' | 'any' | 'unknown' };

export function seatOf(world: World, { n, of }: SeatPick): string {
  const all = Object.values(world.seats);
  const some = all.filter(({ status }) => status === of);
  return of === 'unknown' ? 'Z-9' : oneOf(some.length > 0 ? some : all, n)!.label;
}

export const seatPicks = fc.array(seatPick, { minLength: 1, maxLength: 4, size: 'max' });

/** Each label once, as careful callers send them. */
export function seatsOf(world: World, picks: SeatPick[]): string[] {
  return [...new Set(picks.map((pick) => seatOf(world, pick)))];
}

/** Replaces the labels of places by the label of their area. */
export function byAreas({ chart }: World, labels: string[]): string[] {
  const names = Object.keys(chart.areas);
  return [...new Set(labels.map((label) => names.find((name) => chart.areas[name]!.includes(label)) ?? label))];
}

export const holdPick = fc.record({ n: number, of: weighted(['active', 20], ['ended', 3], ['unknown', 1]) });

/** Never a hold that ended long ago: the rules do not define the results for such holds. */
export function holdOf(world: World, { n, of }: { n: number; of: 'active' | 'ended' | 'unknown' }): string | null {
  if (of === 'unknown') return 'hld_nobody';
  const some = world.holds.filter(({ status }) => (status === 'active') === (of === 'active'));
  const found = oneOf(some, n);
  return found && !isForgettable(world, found.endedAt) ? found.id : null;
}

function isForgettable({ now }: World, endedAt: number | null): boolean {
  return endedAt !== null && endedAt + 23 * 60 * 60_000 <= now;
}

export const refPick = weighted(['r1', 5], ['r2', 4], ['r3', 3], ['r4', 2]);

export const bookingPick = fc.record({ n: number, isAny: weighted([false, 14], [true, 1]) });

/** Mostly a booking that has seats. */
export function bookingOf(world: World, { n, isAny }: { n: number; isAny: boolean }): string | null {
  if (isAny) return oneOf(['r1', 'r2', 'r3', 'r4'], n)!;
  return (
    oneOf(
      world.bookings.filter(({ claims }) => claims.length > 0),
      n,
    )?.ref ?? null
  );
}
export const anyNumber = number;

/** Calls that are recent enough that the holds they name are not forgotten. */
export function recent({ now }: World, sent: readonly Sent[]): Sent[] {
  return sent.filter(({ at }) => at + 20 * 60 * 60_000 > now);
}

/** A name that no call of this history had before. */
export function fresh(world: World, prefix: string): string {
  world.names++;
  return `${prefix}_${world.names}`;
}
