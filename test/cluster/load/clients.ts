/**
 * Clients that compete for a few seats of a few events through any number of front doors. They record every call and
 * answer (`history.ts`) for the checks of `check-history.ts`.
 *
 * Each client makes one call at a time and never repeats a call. States of a call: invoked → answered, or open. An open
 * call has no answer within `requestTimeoutMs`, lost its connection, or got a 503 that is retryable or of unknown
 * outcome. A refused connection never carried the call, so the call is struck from the recording. An answer that the
 * API does not specify is a violation, and every client stops.
 */
import { randomInt } from 'node:crypto';
import { type Answer, type Call, type Operation, Recorder } from '../../support/histories/history.ts';
import { type Body, outcomeOf, requestOf } from './calls.ts';

export type LoadOptions = {
  /** Front doors. Every call picks one of them. The list may change while clients run. */
  urls: readonly string[];
  /** A secret key. */
  token: string;
  eventKeys: readonly string[];
  seats: readonly string[];
  clients?: number;
  /** The shortest and the longest time of a hold. Both are short, so that many holds expire. */
  ttlMs?: readonly [number, number];
  /** The longest pause of a client between two calls. It bounds the length of the history. */
  thinkMsMax?: number;
  requestTimeoutMs?: number;
};

export type Load = {
  history: Recorder;
  /** The number of successful operations so far. */
  successes(): number;
  /** Resolves after `count` more successes. Rejects after PROGRESS_DEADLINE_MS or at a violation. */
  moreSuccesses(count: number, when: string): Promise<void>;
  /** Stops the clients after their calls under way. */
  stop(): Promise<Recorder>;
};

const PROGRESS_DEADLINE_MS = 20_000;
const REFUSED_PAUSE_MS = 20;

type Settings = Required<LoadOptions>;
type ClientHold = { eventKey: string; holdId: string };
/**
 * A client's own holds and bookings, oldest first, and the holds of all clients: some calls name another client's hold.
 */
type Client = {
  number: number;
  holds: ClientHold[];
  bookings: { eventKey: string; bookingRef: string }[];
  everybodys: ClientHold[];
};

export function runClients(options: LoadOptions): Load {
  const settings: Settings = {
    clients: 30,
    ttlMs: [300, 3_000],
    thinkMsMax: 100,
    requestTimeoutMs: 15_000,
    ...options,
  };
  const history = new Recorder();
  const everybodys: ClientHold[] = [];
  let running = true;
  let successes = 0;
  let onProgress: () => void = () => {};

  async function runClient(number: number): Promise<void> {
    const client: Client = { number, holds: [], bookings: [], everybodys };
    for (let turn = 0; running && history.violations.length === 0; turn++) {
      const { eventKey, call, ttlMs } = nextCall(client, settings, turn);
      const { outcome } = await perform(history, settings, client, eventKey, call, ttlMs);
      if (outcome.kind === 'ok') {
        successes++;
        remember(client, eventKey, call, outcome.answer);
      }
      onProgress();
      await pause(randomInt(settings.thinkMsMax + 1));
    }
  }

  const clients = Array.from({ length: settings.clients }, (_, i) => runClient(i + 1));
  return {
    history,
    successes: () => successes,
    moreSuccesses(count, when) {
      const goal = successes + count;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no progress ${when}`)), PROGRESS_DEADLINE_MS);
        onProgress = () => {
          const failed = history.violations.length > 0;
          if (successes < goal && !failed) return;
          clearTimeout(timer);
          if (failed) reject(new Error(history.violations.join('\n')));
          else resolve();
        };
      });
    },
    async stop() {
      running = false;
      await Promise.all(clients);
      return history;
    },
  };
}

function remember(client: Client, eventKey: string, call: Call, answer: Answer): void {
  if (answer.type === 'hold') {
    client.holds.push({ eventKey, holdId: answer.holdId });
    client.everybodys.push({ eventKey, holdId: answer.holdId });
  }
  if (call.type === 'book') client.bookings.push({ eventKey, bookingRef: call.bookingRef });
}

/** The share of each call, out of 100. A client without a hold or booking for its call makes a new hold instead. */
const HABITS: readonly [upTo: number, type: Call['type']][] = [
  [40, 'hold'],
  [60, 'book'],
  [68, 'release'],
  [74, 'extend'],
  [84, 'unbook'],
  [90, 'inspect'],
  [94, 'count'],
  [100, 'map'],
];
const RECENT = 4;

function nextCall(
  client: Client,
  { eventKeys, seats, ttlMs: [least, most] }: Settings,
  turn: number,
): { eventKey: string; call: Call; ttlMs: number } {
  const ttlMs = randomInt(least, most + 1);
  const eventKey = pick(eventKeys);
  const habit = randomInt(100);
  const type = HABITS.find(([upTo]) => habit < upTo)![1];
  if (type === 'count' || type === 'map') return { eventKey, call: { type }, ttlMs };
  if (type === 'unbook' && client.bookings.length > 0) {
    const { eventKey: of, bookingRef } = recent(client.bookings);
    return { eventKey: of, call: { type, bookingRef }, ttlMs };
  }
  // One hold in eight is another client's, so that calls about the same hold meet. A client extends only its own holds:
  // a renewal that is repeated after another client's renewal would count twice.
  const known = randomInt(8) === 0 && type !== 'extend' ? client.everybodys : client.holds;
  if (known.length > 0 && type !== 'hold' && type !== 'unbook') {
    const { eventKey: of, holdId } = recent(known);
    if (type === 'book')
      return { eventKey: of, call: { type, holdId, bookingRef: `order-${client.number}-${turn}` }, ttlMs };
    // Every renewal lengthens its hold: one that does not is not in the journal.
    if (type === 'extend') return { eventKey: of, call: { type, holdId }, ttlMs: most };
    if (type === 'release' || type === 'inspect') return { eventKey: of, call: { type, holdId }, ttlMs };
  }
  const first = randomInt(seats.length);
  const labels = seats.slice(first, first + randomInt(1, 4));
  return { eventKey, call: { type: 'hold', labels }, ttlMs };
}

/** One of the latest few. */
function recent<T>(known: readonly T[]): T {
  return known[known.length - 1 - randomInt(Math.min(RECENT, known.length))]!;
}

function pick<T>(from: readonly T[]): T {
  return from[randomInt(from.length)]!;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function perform(
  history: Recorder,
  settings: Settings,
  client: Client,
  eventKey: string,
  call: Call,
  ttlMs: number,
): Promise<Operation> {
  const { method, path, body } = requestOf(call, ttlMs);
  const operation = history.begin(client.number, eventKey, call);
  try {
    const response = await fetch(`${pick(settings.urls)}/v1/events/${eventKey}${path}`, {
      method,
      headers: { Authorization: `Bearer ${settings.token}`, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(settings.requestTimeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Body;
    const outcome = outcomeOf(call, response.status, answer);
    if (outcome) history.end(operation, outcome);
    else history.violations.push(`${JSON.stringify(call)} was answered ${response.status} ${JSON.stringify(answer)}`);
  } catch (error) {
    if (isRefusedConnection(error)) {
      history.strike(operation);
      await pause(REFUSED_PAUSE_MS);
    } else if (isLost(error)) {
      history.end(operation, { kind: 'unknown', why: whyLost(error) });
    } else {
      history.violations.push(`${JSON.stringify(call)} got an answer that is not JSON: ${error}`);
    }
  }
  return operation;
}

/** No process listened, so the call was never sent. */
function isRefusedConnection(error: unknown): boolean {
  return error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';
}

/** `fetch` and a body that breaks off fail with a TypeError. A timeout is a DOMException. */
function isLost(error: unknown): error is TypeError | DOMException {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

function whyLost(error: TypeError | DOMException): string {
  return error instanceof TypeError
    ? `lost: ${(error.cause as Error | undefined)?.message ?? error.message}`
    : 'timeout';
}
