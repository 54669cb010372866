/** One round: seats of one contender are sold for some seconds, with the figures of that time. */

import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import type { Generator } from '../load/generator.ts';
import { stillShare, untilStill } from '../load/idle.ts';
import { post } from '../load/post.ts';
import type { Contender } from './contender.ts';

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

/** The events of a contender, and the next seat to sell. */
type Sale = { events: string[]; next: number };

/** A contender in the race. */
export type Entrant = Contender & {
  /** The share of a core that it uses when idle. */
  still: number;
  /** Its many events, which serve all rounds. */
  many: Sale;
};

export type RoundSettings = { labels: string[]; seconds: number; connections: number; isOneEvent: boolean };

export async function enter(contender: Contender, labels: string[], manyEvents: number): Promise<Entrant> {
  const still = await stillShare(contender.processes());
  return { ...contender, still, many: await openSale(contender, labels, manyEvents) };
}

export async function runRound(entrant: Entrant, settings: RoundSettings, generator: Generator): Promise<Figures> {
  const { labels, seconds, connections } = settings;
  const { ports, token, still } = entrant;
  const sale = settings.isOneEvent ? await openSale(entrant, labels, 1) : entrant.many;
  const processes = entrant.processes();
  await untilStill(processes, still);
  const before = cpuSeconds(processes);
  const result = await generator.run({
    ports,
    token,
    connections,
    seconds,
    labels,
    events: sale.events,
    from: sale.next,
  });
  sale.next = result.next;
  const workedOnMs = await untilStill(processes, still);
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

/** Opens events for sale and sells the first seat of each, so that no round pays for an event's first use. */
async function openSale({ ports, token, openEvent }: Contender, labels: string[], count: number): Promise<Sale> {
  const events: string[] = [];
  while (events.length < count) {
    const event = await openEvent();
    const url = `http://127.0.0.1:${ports[0]}/v1/events/${event}`;
    const { holdId } = await post<{ holdId: string }>(`${url}/hold`, { labels: [labels[0]] }, token);
    await post(`${url}/book`, { holdId, bookingRef: `first-${event}` }, token);
    events.push(event);
  }
  return { events, next: count };
}
