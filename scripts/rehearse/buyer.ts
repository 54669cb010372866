/**
 * One simulated buyer: opens a session, the map and a socket, then holds free seats again and again, and books or
 * releases each hold, until the rehearsal is over. A hold that is neither is released at the end. Each call is a
 * sample; no answer is a sample with the code `no_answer`.
 */
import { WebSocket } from 'ws';
import type { Json } from '../operate/admin-api.ts';
import type { Sample } from './rules/report.ts';

export type Sale = {
  url: string;
  event: string;
  secret: string;
  publishable: string;
  origin: string;
  /** Free at the beginning. Buyers race for them. */
  labels: readonly string[];
};

const answerMs = 15_000;
/** A person thinks a while; a rehearsal is more impatient. */
const thinkMsMax = 1_000;
const seatsMax = 3;

export class Buyer {
  frames = 0;
  readonly bookings: string[] = [];
  readonly #number: number;
  readonly #sale: Sale;
  readonly #samples: Sample[];
  readonly #isOver: () => boolean;
  #socket: WebSocket | null = null;

  constructor(number: number, sale: Sale, samples: Sample[], isOver: () => boolean) {
    this.#number = number;
    this.#sale = sale;
    this.#samples = samples;
    this.#isOver = isOver;
  }

  async run(): Promise<void> {
    const { event, publishable } = this.#sale;
    // Buyers come within the first second, not in one moment.
    await think();
    const opened = await this.#ask('session', 'POST', `/pub/events/${event}/session`, publishable);
    const token: string | undefined = opened?.token;
    if (token === undefined) return;
    await this.#ask('chart', 'GET', `/pub/events/${event}/chart`, token);
    await this.#ask('statuses', 'GET', `/pub/events/${event}/objects?compact=1`, token);
    await this.#watch(token);
    for (let turn = 0; !this.#isOver(); turn++) await this.#buy(token, turn);
    this.#socket?.close();
  }

  async #watch(token: string): Promise<void> {
    const { url, event, origin } = this.#sale;
    const ticket = await this.#ask('ticket', 'POST', `/pub/events/${event}/subscribe-tickets`, token);
    if (!ticket?.protocols) return;
    const startedAt = performance.now();
    const socket = new WebSocket(`${url.replace('http', 'ws')}/pub/events/${event}/subscribe`, ticket.protocols, {
      origin,
    });
    this.#socket = socket;
    const code = await new Promise<string | null>((resolve) => {
      socket.on('message', () => {
        this.frames++;
        resolve(null);
      });
      socket.once('error', () => resolve('no_socket'));
      socket.once('close', (status) => resolve(`closed_${status}`));
      setTimeout(() => resolve('no_answer'), answerMs).unref();
    });
    this.#samples.push({ step: 'socket', ms: performance.now() - startedAt, code });
  }

  async #buy(token: string, turn: number): Promise<void> {
    const { event, labels, secret } = this.#sale;
    const first = Math.floor(Math.random() * labels.length);
    const some = labels.slice(first, first + 1 + Math.floor(Math.random() * seatsMax));
    const held = await this.#ask('hold', 'POST', `/pub/events/${event}/hold`, token, { labels: some });
    const holdId: string | undefined = held?.holdId;
    await think();
    if (holdId === undefined) return;
    if (turn % 2 === 0 && !this.#isOver()) {
      const bookingRef = `rehearsal-${process.pid}-${this.#number}-${turn}`;
      // Noted before the call: a booking without an answer may stand.
      this.bookings.push(bookingRef);
      const booked = await this.#ask('book', 'POST', `/v1/events/${event}/book`, secret, { holdId, bookingRef });
      if (booked !== null) return;
    }
    await this.#ask('release', 'POST', `/pub/events/${event}/release`, token, { holdId });
  }

  /** The body of a success, else null. */
  async #ask(step: string, method: string, path: string, token: string, body?: unknown): Promise<Json> {
    const { url, origin } = this.#sale;
    const startedAt = performance.now();
    const answer = await call(url, method, path, token, body, path.startsWith('/pub/') ? { Origin: origin } : {}).catch(
      () => null,
    );
    const ms = performance.now() - startedAt;
    const isGood = answer !== null && answer.status < 300;
    const code = isGood ? null : (answer?.body?.code ?? (answer === null ? 'no_answer' : `status_${answer.status}`));
    this.#samples.push({ step, ms, code });
    // Without this a deployment that refuses at once would be asked in a tight loop.
    if (!isGood) await think();
    return isGood ? answer.body : null;
  }
}

export async function call(
  url: string,
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    signal: AbortSignal.timeout(answerMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json().catch(() => null) };
}

const think = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, Math.random() * thinkMsMax));
