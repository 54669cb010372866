/**
 * kill -9 of the shard and of NATS, at any moment, under load: nothing that was acknowledged is lost, and nothing is
 * sold twice (I1, I2). Clients hold, book, release and unbook a few seats over HTTP and write down every answer; in the
 * end the journal is folded and compared with all of them, and with the map that is served.
 */
import { randomInt } from 'node:crypto';
import { compilePlan } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { HeldAnswer } from '@parterre/shared/commands';
import { expect, test } from 'vitest';
import { type FoldedEvent, foldJournals } from '../support/journal-fold.ts';
import { type Parterre, startParterre } from '../support/server.ts';

const KILLS = 24;
const CLIENTS = 12;
const EVENTS = 3;
/** Successes that must come after a kill before the next one: each falls on a working, busy system. */
const SUCCESSES_BETWEEN_KILLS = 60;
const KILL_DEADLINE_MS = 20_000;
const PARTITIONS = 8;

type Answer =
  | { kind: 'held'; eventKey: string; answer: HeldAnswer }
  | { kind: 'booked'; eventKey: string; holdId: string; bookingRef: string; labels: string[] }
  | { kind: 'released'; eventKey: string; holdId: string; labels: string[] }
  | { kind: 'unbooked'; eventKey: string; bookingRef: string; labels: string[] };

test(`${KILLS} kills of shard and NATS under load lose nothing acknowledged`, { timeout: 300_000 }, async () => {
  const parterre = await startParterre({ env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' } });
  try {
    const { doc } = await call<{ doc: ChartDocument }>(parterre, 'GET', `/v1/charts/${parterre.demo.chartId}`);
    const plan = compilePlan(doc, 'plan');
    const eventKeys = await Promise.all(Array.from({ length: EVENTS }, () => createEvent(parterre)));
    const seats = plan.labels.slice(0, 40);
    const load = startLoad(parterre, eventKeys, seats);

    for (let kill = 0; kill < KILLS; kill++) {
      const service = kill % 3 === 2 ? 'nats' : 'inventory-shard';
      await load.moreSuccesses(SUCCESSES_BETWEEN_KILLS, `before kill ${kill} (${service})`);
      process.kill(parterre.pidOf(service), 'SIGKILL');
    }
    await load.moreSuccesses(SUCCESSES_BETWEEN_KILLS, 'after the last kill');
    const answers = await load.stop();

    const folded = await foldJournals(parterre.natsUrl, PARTITIONS, () => plan);
    const served = await Promise.all(eventKeys.map((key) => servedMap(parterre, key)));
    for (const [i, eventKey] of eventKeys.entries()) {
      const event = folded.get(eventKey)!;
      expect(event.violations).toEqual([]);
      expect(served[i]).toEqual(mapOf(event));
    }
    const missing = answers.map((answer) => whatIsMissing(folded.get(answer.eventKey)!, answer)).filter(Boolean);
    expect(missing).toEqual([]);
    expect(answers.length).toBeGreaterThan(KILLS * SUCCESSES_BETWEEN_KILLS);
  } finally {
    await parterre.stop();
  }
});

async function createEvent(parterre: Parterre): Promise<string> {
  const { meta } = await call<{ meta: { key: string } }>(parterre, 'POST', '/v1/events', {
    chartId: parterre.demo.chartId,
  });
  return meta.key;
}

/** Clients that hold two seats and book, release, unbook or abandon them, until stopped. */
function startLoad(parterre: Parterre, eventKeys: string[], seats: string[]) {
  const answers: Answer[] = [];
  let running = true;
  let onAnswer: () => void = () => {};

  const note = (answer: Answer): void => {
    answers.push(answer);
    onAnswer();
  };

  async function sell(client: number, turn: number): Promise<void> {
    const eventKey = eventKeys[randomInt(eventKeys.length)]!;
    const path = `/v1/events/${eventKey}`;
    const first = randomInt(seats.length - 1);
    const held = await attempt<HeldAnswer>(parterre, `${path}/hold`, {
      labels: [seats[first], seats[first + 1]],
      ttlMs: 2_000,
    });
    if (!held) return;
    note({ kind: 'held', eventKey, answer: held });
    const { holdId } = held;
    const next = randomInt(4);
    if (next === 0) return; // left to expire
    if (next === 1) {
      const released = await attempt<{ released: string[] }>(parterre, `${path}/release`, { holdId });
      if (released) note({ kind: 'released', eventKey, holdId, labels: released.released });
      return;
    }
    const bookingRef = `order-${client}-${turn}`;
    const booked = await attempt<{ booked: string[] }>(parterre, `${path}/book`, { holdId, bookingRef });
    if (!booked) return;
    note({ kind: 'booked', eventKey, holdId, bookingRef, labels: booked.booked });
    const unbooked = await attempt<{ unbooked: string[] }>(parterre, `${path}/unbook`, { bookingRef });
    if (unbooked) note({ kind: 'unbooked', eventKey, bookingRef, labels: unbooked.unbooked });
  }

  async function runClient(client: number): Promise<void> {
    for (let turn = 0; running; turn++) await sell(client, turn);
  }

  const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(client));
  return {
    moreSuccesses(count: number, when: string): Promise<void> {
      const goal = answers.length + count;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no progress ${when}`)), KILL_DEADLINE_MS);
        onAnswer = () => {
          if (answers.length < goal) return;
          clearTimeout(timer);
          resolve();
        };
      });
    },
    async stop(): Promise<Answer[]> {
      running = false;
      await Promise.all(clients);
      return answers;
    },
  };
}

/** The body of a 200, or null for a refusal, a retryable answer and a lost connection alike: those claim nothing. */
async function attempt<T>(parterre: Parterre, path: string, body: unknown): Promise<T | null> {
  try {
    const response = await request(parterre, 'POST', path, body);
    const answer = await response.json();
    if (response.status === 500) throw new Error(`internal error: ${JSON.stringify(answer)}`);
    return response.status === 200 ? (answer as T) : null;
  } catch (error) {
    if (error instanceof TypeError) return null; // fetch failed
    throw error;
  }
}

async function call<T>(parterre: Parterre, method: string, path: string, body?: unknown): Promise<T> {
  const response = await request(parterre, method, path, body);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

function request(parterre: Parterre, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${parterre.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${parterre.demo.keys.secretTest}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Held, booked and blocked seats as the server tells them, with holds that ended meanwhile left out. */
async function servedMap(parterre: Parterre, eventKey: string): Promise<Record<string, string>> {
  const { seats } = await call<{ seats: Record<string, string> }>(parterre, 'GET', `/v1/events/${eventKey}/objects`);
  return withoutHeld(seats);
}

function mapOf({ state }: FoldedEvent): Record<string, string> {
  const seats: Record<string, string> = {};
  for (const [unit, label] of state.plan.labels.entries()) {
    const status = ['free', 'held', 'booked', 'blocked'][state.statuses[unit]!]!;
    if (status !== 'free') seats[label] = status;
  }
  return withoutHeld(seats);
}

/** Holds go on ending by themselves between the two looks; what is booked does not. */
function withoutHeld(seats: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(seats).filter(([, status]) => status !== 'held'));
}

/** What the journal lacks of an answer, or null when it stands there exactly once. */
function whatIsMissing(event: FoldedEvent, answer: Answer): string | null {
  const labels = (units: number[]): string[] => units.map((unit) => event.state.plan.labels[unit]!).sort();
  const records = event.records;
  switch (answer.kind) {
    case 'held': {
      const found = records.filter((each) => each.type === 'held' && each.holdId === answer.answer.holdId);
      const record = found[0];
      if (found.length !== 1 || record?.type !== 'held') return `${answer.answer.holdId} held ${found.length} times`;
      const same = String(labels(record.lines.map(({ unit }) => unit))) === String([...answer.answer.labels].sort());
      return same && record.expiresAt === answer.answer.expiresAt ? null : `${record.holdId} held otherwise`;
    }
    case 'booked': {
      const found = records.filter((each) => each.type === 'booked' && each.bookingRef === answer.bookingRef);
      const record = found[0];
      if (found.length !== 1 || record?.type !== 'booked') return `${answer.bookingRef} booked ${found.length} times`;
      const same = String(labels(record.lines.map(({ unit }) => unit))) === String([...answer.labels].sort());
      return same ? null : `${answer.bookingRef} booked otherwise`;
    }
    case 'released': {
      if (answer.labels.length === 0) return null;
      const found = records.filter((each) => each.type === 'released' && each.holdId === answer.holdId);
      return found.length === 1 ? null : `${answer.holdId} released ${found.length} times`;
    }
    case 'unbooked': {
      if (answer.labels.length === 0) return null;
      const found = records.filter((each) => each.type === 'unbooked' && each.bookingRef === answer.bookingRef);
      return found.length === 1 ? null : `${answer.bookingRef} unbooked ${found.length} times`;
    }
    default:
      return answer satisfies never;
  }
}
