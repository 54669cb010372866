/**
 * The open loop. Requests are due at a steady rate, however slow the server is. The connections take these requests in
 * turn. A latency begins at the due time. A request that is due while its connection still waits for an answer is sent
 * at that answer, and its latency includes the wait. So a server's pause shows in all requests of the pause
 * (no "coordinated omission"; the method is that of wrk2).
 *
 * States of a connection: free → (a request is due) busy → (its answer comes, and no request waits) free. At an answer
 * with a request waiting, the connection stays busy with the next request. Failure: a server that never catches up ends
 * the round after `drainMsMax`, and its waiting requests count with their time until then. A round that is cut owes no
 * further request, and ends in the same way.
 */
import type { Buyer } from './buyers.ts';
import type { Loaded } from './closed-loop.ts';
import type { Client } from './connection.ts';

/** The wait for late answers, after the last request was due. */
const drainMsMax = 10_000;
/** The finest timer of Node. It delays a request by up to a millisecond, the same for every contender. */
const paceMs = 1;

/** Offers `count` requests at `perSecond`, fewer if it is cut. Resolves when all are answered or given up. */
export async function runOpenLoop(
  clients: Client[],
  buyers: Buyer[],
  offered: { perSecond: number; count: number },
  cut?: AbortSignal,
): Promise<Loaded> {
  const latenciesMs: number[] = [];
  const started = performance.now();
  const dueAt = (request: number): number => started + (request * 1000) / offered.perSecond;
  const waited = (lane: number, turn: number, at: number): number => at - dueAt(turn * clients.length + lane);
  let { count } = offered;
  let due = 0;
  let timer: NodeJS.Timeout | null = null;

  const lanes = clients.map((client, number) =>
    openLane(client, buyers[number]!, (turn, at) => {
      latenciesMs.push(waited(number, turn, at));
      pace();
    }),
  );
  const pace = (): void => {
    const now = performance.now();
    if (cut?.aborted) count = Math.min(count, due);
    for (; due < count && dueAt(due) <= now; due++) lanes[due % lanes.length]!.owe();
    if (latenciesMs.length === count) endAll();
  };
  const endAll = (): void => {
    for (const client of clients) client.end();
  };
  const tick = (): void => {
    timer = setTimeout(tick, paceMs);
    pace();
    if (performance.now() > dueAt(count) + drainMsMax) endAll();
  };

  tick();
  await Promise.all(clients.map(({ ended }) => ended)).finally(() => clearTimeout(timer!));
  const ended = performance.now();
  const successes = latenciesMs.length;
  for (const [number, { turns }] of lanes.entries()) {
    for (let turn = turns.answered; turn < turns.owed; turn++) latenciesMs.push(waited(number, turn, ended));
  }
  return { successes, latenciesMs, seconds: (ended - started) / 1000 };
}

/** One connection with its requests: due so far, and answered so far. */
type Lane = { turns: { owed: number; answered: number }; owe(): void };

function openLane(client: Client, buyer: Buyer, onAnswer: (turn: number, at: number) => void): Lane {
  const turns = { owed: 0, answered: 0 };
  const send = (): void => {
    const request = buyer.ask();
    if (request === null) throw new Error('the open loop asked for more seats than there are');
    client.send(request);
  };
  client.onAnswer = (answer) => {
    const at = performance.now();
    buyer.hear(answer);
    turns.answered += 1;
    if (turns.owed > turns.answered) send();
    onAnswer(turns.answered - 1, at);
  };
  return {
    turns,
    owe() {
      turns.owed += 1;
      // Otherwise an earlier request is under way.
      if (turns.owed === turns.answered + 1) send();
    },
  };
}
