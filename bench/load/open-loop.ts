/**
 * The open loop: requests are due at a steady rate, whatever the server does, and each connection takes the next one in
 * turn. A latency begins at the due time. A request that is due while its connection still waits for an answer is sent
 * at that answer, and its latency includes the wait. So a server's pause shows in all requests of the pause
 * (no "coordinated omission"; the method is that of wrk2).
 *
 * States of a connection: free → (a request is due) busy → (its answer comes, and no request waits) free. At an answer
 * with a request waiting, the connection stays busy with the next request. Failure: a server that never catches up ends
 * the round after `drainMsMax`, and its waiting requests count with their time until then.
 */
import type { Buyer } from './buyers.ts';
import type { Loaded } from './closed-loop.ts';
import type { Client } from './connection.ts';

/** The wait for late answers, after the last request was due. */
const drainMsMax = 10_000;
/** The finest timer of Node. It delays a request by up to a millisecond, the same for every contender. */
const paceMs = 1;

type Lane = { owed: number; answered: number; isBusy: boolean; send(): void };

/** Offers `count` requests at `perSecond`, and resolves when all are answered or given up. */
export async function runOpenLoop(
  clients: Client[],
  buyers: Buyer[],
  offered: { perSecond: number; count: number },
): Promise<Loaded> {
  const latenciesMs: number[] = [];
  const started = performance.now();
  const dueAt = (request: number): number => started + (request * 1000) / offered.perSecond;
  let due = 0;
  let timer: NodeJS.Timeout | null = null;

  const lanes = clients.map((client, number): Lane => {
    const buyer = buyers[number]!;
    const lane: Lane = {
      ...{ owed: 0, answered: 0, isBusy: false },
      send() {
        const request = buyer.ask();
        if (request === null) throw new Error('the open loop asked for more seats than there are');
        lane.isBusy = true;
        client.send(request);
      },
    };
    client.onAnswer = (answer) => {
      latenciesMs.push(performance.now() - dueAt(number + lane.answered * clients.length));
      lane.answered += 1;
      lane.isBusy = false;
      buyer.hear(answer);
      if (lane.owed > lane.answered) lane.send();
      pace();
    };
    return lane;
  });

  const pace = (): void => {
    const now = performance.now();
    for (; due < offered.count && dueAt(due) <= now; due++) {
      const lane = lanes[due % lanes.length]!;
      lane.owed += 1;
      if (!lane.isBusy) lane.send();
    }
    if (latenciesMs.length === offered.count) endAll();
  };
  const endAll = (): void => {
    for (const client of clients) client.end();
  };
  const tick = (): void => {
    timer = setTimeout(tick, paceMs);
    pace();
    if (performance.now() > dueAt(offered.count) + drainMsMax) endAll();
  };

  tick();
  await Promise.all(clients.map(({ ended }) => ended)).finally(() => clearTimeout(timer!));
  const ended = performance.now();
  for (const [number, { owed, answered }] of lanes.entries()) {
    for (let turn = answered; turn < owed; turn++) latenciesMs.push(ended - dueAt(number + turn * lanes.length));
  }
  return { latenciesMs, seconds: (ended - started) / 1000 };
}
