/**
 * One pull request to a JetStream consumer, bounded in messages and in bytes. The client library bounds by either of them
 * alone, and a journal message may be as large as NATS takes: a batch bounded by its number alone may be gigabytes.
 *
 * States of a request: asked → taking messages → ended, by as many messages as were asked for, a status of the server (no
 * more just now, time is over, the next one does not fit), the deadline, or `stopping`. A server that says nothing until
 * the deadline, as after a lost connection, and one that does not know the consumer are thrown as a `Fault`, unless
 * messages came before: those are the caller's, and the next request finds out.
 *
 * The status may come before messages that it counts: a server whose consumer has copies sends each only once they know of it.
 * They are waited for until the deadline: lost here, they would be handed out again only when their time to be acknowledged is over.
 */
import { createInbox, type Msg } from '@nats-io/transport-node';
import type { Clock } from './clock.ts';
import { Fault } from './errors.ts';
import type { NatsConnection } from './nats.ts';

const API = '$JS.API.CONSUMER.MSG.NEXT';
const ACK = '$JS.ACK.';
const NANOS_PER_MS = 1_000_000;
/** How long the server may take to say that there is nothing. */
const SLACK_MS = 3_000;
const [ack, working] = ['+ACK', '+WPI'].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];

export type PullSource = { nats: NatsConnection; clock: Clock; stream: string; consumer: string };

export type PullBounds = {
  messages: number;
  /** With the subjects and headers of the messages. Where the first is larger none comes; null: one message is asked for. */
  bytes: number | null;
  /** How long it is waited for messages; 0 takes what is there. */
  waitMs: number;
};

export type PulledMessage = {
  subject: string;
  data: Uint8Array;
  /** In its stream. */
  seq: number;
  /** The how manieth the consumer hands out, from 1: one that is missing was lost on the way. */
  consumerSeq: number;
  /** Times it was handed out, this one included. */
  deliveryCount: number;
  /** Messages behind it, not handed out yet. */
  pending: number;
  ack(): void;
  /** Has it handed out again, not before `delayMs`. */
  again(delayMs: number): void;
  /** Says that it is still worked on. */
  working(): void;
};

/** Resolves with what came, in order. */
export function pull(source: PullSource, bounds: PullBounds, stopping: AbortSignal): Promise<PulledMessage[]> {
  const { nats, clock, stream, consumer } = source;
  if (stopping.aborted) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const messages: PulledMessage[] = [];
    const inbox = createInbox();
    const subscription = nats.subscribe(inbox, { callback: hear });
    const cancelDeadline = clock.after(bounds.waitMs + SLACK_MS, () => end(due === null ? 'no answer' : undefined));
    /** The messages that the server has handed out, once it has said that there are no more. */
    let due: number | null = null;
    const stop = (): void => end();
    stopping.addEventListener('abort', stop);
    nats.publish(`${API}.${stream}.${consumer}`, JSON.stringify(request(bounds)), { reply: inbox });

    function hear(error: Error | null, message: Msg): void {
      if (error) end(error.message);
      else if (message.reply?.startsWith(ACK)) {
        messages.push(pulled(nats, message, message.reply));
        if (messages.length === (due ?? bounds.messages)) end();
      } else hearStatus(message);
    }

    function hearStatus({ headers }: Msg): void {
      const code = headers?.code ?? 0;
      if (code === 404 || code === 408 || code === 409) {
        const left = Number(headers?.get('Nats-Pending-Messages') || bounds.messages - messages.length);
        due = bounds.messages - left;
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

/** `reply` ends with `<deliveries>.<stream seq>.<consumer seq>.<time>.<pending>`, and newer servers may add one more token. */
function pulled(nats: NatsConnection, message: Msg, reply: string): PulledMessage {
  const tokens = reply.split('.');
  // $JS.ACK.<stream>.<consumer> before, where servers name their domain and account too two more.
  const first = tokens.length > 9 ? 6 : 4;
  // Where the connection has been given up nobody can be told, and the server hands the message to another.
  const say = (payload: Uint8Array | string): void => {
    if (!nats.isClosed() && !nats.isDraining()) message.respond(payload);
  };
  return {
    subject: message.subject,
    data: message.data,
    deliveryCount: Number(tokens[first]),
    seq: Number(tokens[first + 1]),
    consumerSeq: Number(tokens[first + 2]),
    pending: Number(tokens[first + 4]),
    ack: () => say(ack),
    again: (delayMs) => say(`-NAK {"delay": ${Math.round(delayMs * NANOS_PER_MS)}}`),
    working: () => say(working),
  };
}
