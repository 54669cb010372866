/**
 * One pull request to a JetStream consumer, bounded in messages and in bytes. The client library bounds by one of the
 * two, and a journal message may be as large as NATS takes, so a batch with a bound in messages alone may be gigabytes.
 *
 * States of a request: asked → taking messages → ended. A request ends with the last message that was asked for, with a
 * status of the server (no more messages now, time is over, the next message does not fit), at the deadline, or by
 * `stopping`. A server that is silent until the deadline, as after a lost connection, and a server that does not know
 * the consumer cause a `Fault`, unless messages came before: the caller gets these, and the next request meets the
 * fault.
 *
 * The status may come before messages that it counts: a replicated consumer sends a message only once its copies know
 * of it. The request waits for these messages until the deadline: a message that is lost here is delivered again only
 * after its acknowledgement time.
 */
import type { Msg } from '@nats-io/transport-node';
import { Fault } from '../protocol/errors.ts';
import type { Clock } from './clock.ts';
import { type NatsConnection, newInbox } from './nats.ts';
import { journalTraceHeader } from './tracing.ts';

const API = '$JS.API.CONSUMER.MSG.NEXT';
const ACK = '$JS.ACK.';
const NANOS_PER_MS = 1_000_000;
/** The time that the server may take to say that there are no messages. */
const SLACK_MS = 3_000;
const [ack, working] = ['+ACK', '+WPI'].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];

export type PullSource = { nats: NatsConnection; clock: Clock; stream: string; consumer: string };

export type PullBounds = {
  messages: number;
  /**
   * With the subjects and headers of the messages. No message comes when the first message is larger. Null asks for one
   * message.
   */
  bytes: number | null;
  /** The wait for messages; 0 takes only messages that are already there. */
  waitMs: number;
  /** Called when the next message does not fit into `bytes`, and when the server ends the request otherwise (409). */
  onRefused?(): void;
};

export type PulledMessage = {
  subject: string;
  data: Uint8Array;
  /** The sequence in its stream. */
  seq: number;
  /** The sequence of this delivery at its consumer, from 1. A gap means that a message was lost on the way. */
  consumerSeq: number;
  /** The number of deliveries of this message, this one included. */
  deliveryCount: number;
  /** Messages behind this one that are not delivered yet. */
  pending: number;
  /** The traced commands of a journal's message (tracing.ts). */
  readonly traces?: string | undefined;
  ack(): void;
  /** Asks for another delivery, not before `delayMs`. */
  again(delayMs: number): void;
  /** Tells the server that work on the message goes on. */
  working(): void;
};

/** Resolves with the received messages, in order. */
export function pull(source: PullSource, bounds: PullBounds, stopping: AbortSignal): Promise<PulledMessage[]> {
  const { nats, clock, stream, consumer } = source;
  if (stopping.aborted) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const messages: PulledMessage[] = [];
    const inbox = newInbox(nats);
    const subscription = nats.subscribe(inbox, { callback: hear });
    const cancelDeadline = clock.after(bounds.waitMs + SLACK_MS, () => end(due === null ? 'no answer' : undefined));
    /** The number of messages that the server has delivered, known once it says that there are no more. */
    let due: number | null = null;
    const stop = (): void => end();
    stopping.addEventListener('abort', stop);
    nats.publish(`${API}.${stream}.${consumer}`, JSON.stringify(request(bounds)), { reply: inbox });

    function hear(error: Error | null, message: Msg): void {
      if (error) end(error.message);
      else if (message.reply?.startsWith(ACK)) {
        messages.push(new Pulled(nats, message, message.reply));
        if (messages.length === (due ?? bounds.messages)) end();
      } else hearStatus(message);
    }

    function hearStatus({ headers }: Msg): void {
      const code = headers?.code ?? 0;
      if (code === 404 || code === 408 || code === 409) {
        const left = Number(headers?.get('Nats-Pending-Messages') || bounds.messages - messages.length);
        due = bounds.messages - left;
        if (code === 409) bounds.onRefused?.();
        if (messages.length >= due) end();
      } else if (code !== 100) end(`${code} ${headers?.description ?? ''}`);
    }

    function end(problem?: string): void {
      subscription.unsubscribe();
      cancelDeadline();
      stopping.removeEventListener('abort', stop);
      if (problem === undefined || messages.length > 0) resolve(messages);
      else reject(new Fault(`pull from ${consumer} of ${stream}: ${problem}`));
    }
  });
}

function request({ messages, bytes, waitMs }: PullBounds): Record<string, unknown> {
  return {
    batch: messages,
    ...(bytes !== null && { max_bytes: bytes }),
    ...(waitMs > 0 ? { expires: waitMs * NANOS_PER_MS } : { no_wait: true }),
  };
}

/** A class with prototype methods, because there is one for every message: a follower reads thousands a second. */
class Pulled implements PulledMessage {
  readonly seq: number;
  readonly consumerSeq: number;
  readonly deliveryCount: number;
  readonly pending: number;
  readonly #nats: NatsConnection;
  readonly #message: Msg;

  /**
   * `reply` ends with `<deliveries>.<stream seq>.<consumer seq>.<time>.<pending>`. Newer servers may add one more
   * token.
   */
  constructor(nats: NatsConnection, message: Msg, reply: string) {
    this.#nats = nats;
    this.#message = message;
    // $JS.ACK.<stream>.<consumer> comes before; newer servers add their domain and account in between.
    const first = dotsIn(reply) > 8 ? 6 : 4;
    let at = 0;
    for (let dots = 0; dots < first; dots++) at = reply.indexOf('.', at) + 1;
    this.deliveryCount = numberAt(reply, at);
    at = reply.indexOf('.', at) + 1;
    this.seq = numberAt(reply, at);
    at = reply.indexOf('.', at) + 1;
    this.consumerSeq = numberAt(reply, at);
    at = reply.indexOf('.', reply.indexOf('.', at) + 1) + 1;
    this.pending = numberAt(reply, at);
  }

  get subject(): string {
    return this.#message.subject;
  }

  get data(): Uint8Array {
    return this.#message.data;
  }

  get traces(): string | undefined {
    return this.#message.headers?.get(journalTraceHeader) || undefined;
  }

  ack(): void {
    this.#say(ack);
  }

  again(delayMs: number): void {
    this.#say(`-NAK {"delay": ${Math.round(delayMs * NANOS_PER_MS)}}`);
  }

  working(): void {
    this.#say(working);
  }

  /** A given-up connection takes no messages. The server delivers the message to another consumer. */
  #say(payload: Uint8Array | string): void {
    if (!this.#nats.isClosed() && !this.#nats.isDraining()) this.#message.respond(payload);
  }
}

function dotsIn(text: string): number {
  let dots = 0;
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) dots++;
  return dots;
}

/** The decimal number that begins at `at` and ends with a dot or the text. */
function numberAt(text: string, at: number): number {
  let number = 0;
  for (let i = at; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  return number;
}
