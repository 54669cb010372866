/**
 * Compares the copies of a stream. A consumer with one replica lives on one of the stream's servers, and reads the copy
 * of this server. NATS chooses the server, so new consumers are made until each server was met.
 *
 * A server that no consumer met is told as not read. Messages of the stream behind its end at the start of the
 * comparison are left out.
 */
import { type Consumer, DeliverPolicy } from '@nats-io/jetstream';
import { linkOf } from '../../shared/src/protocol/journal/links.ts';
import type { JetStreams } from '../backup/messages.ts';
import { Refused } from '../backup/refused.ts';
import { messagesOf } from './read-stream.ts';

/**
 * `differsAt`: the first sequence at which the copy is not like the one with the most messages; null where it is
 * alike.
 */
export type Copy = { server: string; differsAt: number | null };

export type Copies = { copies: Copy[]; unread: string[] };

/** With three servers, the odds that one of them is never chosen are below one in ten thousand. */
const consumersMax = 30;
const stallMs = 10_000;

export async function compareCopies(
  { client, manager }: JetStreams,
  stream: string,
  servers: readonly string[],
): Promise<Copies> {
  const { first_seq: first, last_seq: last } = (await manager.streams.info(stream)).state;
  const names = new Map<string, Uint32Array>();
  for (let made = 0; made < consumersMax && names.size < servers.length; made++) {
    const options = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: first };
    const consumer = await client.consumers.get(stream, options);
    const server = (await consumer.info()).cluster?.leader;
    if (server !== undefined && !names.has(server)) names.set(server, await namesIn(consumer, stream, first, last));
    else await consumer.delete();
  }
  // A copy with fewer messages is not the measure of the others.
  const missing = (own: Uint32Array): number => own.reduce((sum, name) => sum + (name === 0 ? 1 : 0), 0);
  const [whole] = [...names.values()].sort((one, other) => missing(one) - missing(other));
  const copies = [...names].map(([server, own]): Copy => {
    const index = own.findIndex((name, at) => name !== whole![at]);
    return { server, differsAt: index < 0 ? null : first + index };
  });
  return { copies, unread: servers.filter((server) => !names.has(server)) };
}

/** Four bytes of each message's hash, by sequence; 0 for a message that the copy does not give. */
async function namesIn(consumer: Consumer, stream: string, first: number, last: number): Promise<Uint32Array> {
  const names = new Uint32Array(Math.max(0, last - first + 1));
  try {
    for await (const { sequence, data } of messagesOf(consumer, stream, last, stallMs)) {
      names[sequence - first] = Buffer.from(linkOf(data)).readUInt32LE(0) || 1;
    }
  } catch (error) {
    // A server counts a damaged message, and never gives it.
    if (!(error instanceof Refused)) throw error;
  }
  return names;
}
