/**
 * One round of load on a server: buyers on keep-alive connections, in a process of its own (load-process.ts). The order
 * says whether they buy as fast as the server answers, buy at a given rate, or ask for sold seats.
 */
import { type Buyer, type GroupOnSale, groupBuyer, refusedBuyer, type Seats, sellingBuyer } from './buyers.ts';
import { runClosedLoop } from './closed-loop.ts';
import { connectClient } from './connection.ts';
import { runOpenLoop } from './open-loop.ts';
import { quantile } from './quantile.ts';

export type LoadTask =
  | { type: 'sales' }
  /** Seat n is the n-th of `labels`, in every event of the group. */
  | { type: 'group sales'; group: GroupOnSale }
  | { type: 'offered sales'; perSecond: number }
  /** Holds of sold seats, each answered with `status`. */
  | { type: 'refusals'; status: number };

export type LoadOrder = {
  /** The ports of the front doors, which share the connections. */
  ports: number[];
  token: string;
  connections: number;
  /** The length of the round. It ends sooner when every seat was asked for. */
  seconds: number;
  /** `next` is the first seat to ask for. */
  seats: Seats;
  task: LoadTask;
};

export type LoadResult = {
  /** Requests with the expected answer. Any other answer ends the round with an error. */
  successes: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** CPU time of this process during the round. */
  cpuSeconds: number;
  /** The first seat of the next round. */
  next: number;
};

/** `cut` ends offered sales early. */
export async function runLoad(order: LoadOrder, cut?: AbortSignal): Promise<LoadResult> {
  const { ports, connections, seconds, seats, task } = order;
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, client) => connectClient(ports[client % ports.length]!)),
  );
  const buyers = clients.map((_, number) => buyerOf(order, number));
  const cpuBefore = process.cpuUsage();
  const loaded =
    task.type === 'offered sales'
      ? await runOpenLoop(clients, buyers, { ...task, count: requestsOf(order, task.perSecond) }, cut)
      : await runClosedLoop(clients, buyers, seconds);
  const cpu = process.cpuUsage(cpuBefore);
  const sorted = Float64Array.from(loaded.latenciesMs).sort();
  return {
    successes: loaded.successes,
    seconds: loaded.seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    next: seats.next,
  };
}

function buyerOf({ seats, token, task }: LoadOrder, number: number): Buyer {
  if (task.type === 'group sales') return groupBuyer(seats, token, task.group, number);
  return task.type === 'refusals' ? refusedBuyer(seats, token, task.status) : sellingBuyer(seats, token, number);
}

/** A seat takes two requests, and each connection may end with a hold. */
function requestsOf({ seats, seconds, connections }: LoadOrder, perSecond: number): number {
  const seatsLeft = seats.events.length * seats.labels.length - seats.next;
  return Math.min(Math.floor(perSecond * seconds), 2 * seatsLeft - connections);
}
