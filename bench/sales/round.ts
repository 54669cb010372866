/**
 * One round: seats of one contender are sold for some seconds, with the figures of that time. A round without a success
 * has no figures: it is null.
 */

import type { Seats } from '../load/buyers.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import type { Generator } from '../load/generator.ts';
import { stillShare, untilStill } from '../load/idle.ts';
import type { LoadTask } from '../load/load.ts';
import { post } from '../load/post.ts';
import type { Contender } from './contender.ts';
import type { LoadType } from './passes.ts';

/** The figures of one contender in one round. */
export type Figures = {
  successes: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicrosPerSuccess: Record<string, number>;
  generatorMicrosPerSuccess: number;
  /** The share of one core. Near 1, the round measured the load generator. */
  generatorShare: number;
  /** The time of work after the end of the load. */
  workedOnMs: number;
};

/** A contender in the race. */
export type Entrant = Contender & {
  /** The share of a core that it uses when idle. */
  still: number;
  /** Its many events, once a round has needed them. They serve the next rounds until half of their seats are sold. */
  many: Seats | null;
  /** An event whose seats are sold, once a round has needed it. */
  soldOut: Seats | null;
};

export type RoundSettings = {
  labels: string[];
  seconds: number;
  connections: number;
  events: number;
  load: LoadType;
  /** For offered sales. */
  offeredPerSecond: number | null;
};

const soldSeats = 32;

export async function enter(contender: Contender): Promise<Entrant> {
  return { ...contender, still: await stillShare(contender.processes()), many: null, soldOut: null };
}

export async function runRound(
  entrant: Entrant,
  settings: RoundSettings,
  generator: Generator,
): Promise<Figures | null> {
  const { seconds, connections } = settings;
  const { ports, token, still } = entrant;
  const seats = await seatsFor(entrant, settings);
  const processes = entrant.processes();
  const before = cpuSeconds(processes);
  const task = taskOf(entrant, settings);
  const result = await generator.run({ ports, token, connections, seconds, seats, task });
  seats.next = result.next;
  const workedOnMs = await untilStill(processes, still);
  if (result.successes === 0) return null;
  const microsPerSuccess = (cpu: number): number => (cpu * 1e6) / result.successes;
  const used = Object.entries(cpuBetween(before, cpuSeconds(processes)));
  return {
    successes: result.successes,
    seconds: result.seconds,
    perSecond: result.successes / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicrosPerSuccess: Object.fromEntries(used.map(([name, cpu]) => [name, microsPerSuccess(cpu)])),
    generatorMicrosPerSuccess: microsPerSuccess(result.cpuSeconds),
    generatorShare: result.cpuSeconds / result.seconds,
    workedOnMs,
  };
}

async function seatsFor(entrant: Entrant, { load, labels, events }: RoundSettings): Promise<Seats> {
  if (load === 'refusals') {
    entrant.soldOut ??= await openSale(entrant, labels.slice(0, soldSeats), 1, soldSeats);
    return entrant.soldOut;
  }
  if (events === 1) return openSale(entrant, labels, 1);
  // A round sells fewer seats than half of them: 640,000 seats are 1,280,000 answers.
  if (entrant.many === null || isHalfSold(entrant.many)) entrant.many = await openSale(entrant, labels, events);
  return entrant.many;
}

export function isHalfSold({ events, labels, next }: Seats): boolean {
  return next >= (events.length * labels.length) / 2;
}

function taskOf({ soldSeatStatus }: Entrant, { load, offeredPerSecond }: RoundSettings): LoadTask {
  if (load === 'refusals') return { type: 'refusals', status: soldSeatStatus };
  return load === 'sales' ? { type: 'sales' } : { type: 'offered sales', perSecond: offeredPerSecond! };
}

/**
 * Opens events for sale and sells the first seats of each, so that no round pays for an event's first use. Resolves
 * when the contender has no work left.
 */
async function openSale(
  { ports, token, still, processes, openEvent }: Entrant,
  labels: string[],
  count: number,
  sold = 1,
): Promise<Seats> {
  const events: string[] = [];
  while (events.length < count) {
    const event = await openEvent();
    const url = `http://127.0.0.1:${ports[0]}/v1/events/${event}`;
    const { holdId } = await post<{ holdId: string }>(`${url}/hold`, { labels: labels.slice(0, sold) }, token);
    await post(`${url}/book`, { holdId, bookingRef: `first-${event}` }, token);
    events.push(event);
  }
  await untilStill(processes(), still);
  return { events, labels, next: count * sold };
}
