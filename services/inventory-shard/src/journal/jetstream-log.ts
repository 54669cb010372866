/**
 * A partition's journal on its JetStream stream: see `JournalLog`. Every append expects the sequence before its own
 * (I3). Acks of pipelined appends come to their own inbox.
 */
import { JetStreamApiCodes, JetStreamApiError, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import { appendDeadlineMs } from '@parterre/shared/protocol/limits';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { systemClock } from '@parterre/shared/runtime/clock';
import { hearing, newInbox } from '@parterre/shared/runtime/nats';
import { journalTraceHeader } from '@parterre/shared/runtime/tracing';
import { askAgain } from '../ask-again.ts';
import type { Ack, JournalLog } from './appends.ts';
import { logReadAgainMs } from './bounds.ts';

export type JetStream = { nats: NatsConnection; client: JetStreamClient; manager: JetStreamManager };

/** The status code of NATS' "no responders" message. */
const NO_RESPONDERS = 503;

/** Another append came first, or an append with the same id is still being decided (10158). */
const notAppended: number[] = [JetStreamApiCodes.StreamWrongLastSequence, 10_158];

export function createJetStreamLog({ nats, client, manager }: JetStream, partition: number): JournalLog {
  const stream = names.journalStream(partition);
  const inbox = newInbox(nats);
  let hear: (ack: Ack) => void = () => {};
  /** A stream without a leader does not answer. */
  const asked = <T>(ask: () => Promise<T>): Promise<T> => askAgain(systemClock, logReadAgainMs, ask);
  const acks = nats.subscribe(`${inbox}.*`, { callback: hearing((message) => hear(ackOf(message, inbox))) });

  return {
    async last() {
      const lastOf = { last_by_subj: subjects.journalOfPartition(partition) };
      const message = await asked(() => manager.streams.getMessage(stream, lastOf));
      if (message) return { sequence: message.seq, payload: message.data };
      const { state } = await manager.streams.info(stream);
      // A message that the server cannot read is answered like one that is missing. The log is not empty.
      if (state.messages > 0) throw new Fault(`read the last message of ${stream} at ${state.last_seq}`);
      return { sequence: state.last_seq, payload: null };
    },
    async lastEpoch() {
      const lastOf = { last_by_subj: subjects.epoch(partition) };
      return (await asked(() => manager.streams.getMessage(stream, lastOf)))?.data ?? null;
    },
    async at(sequence) {
      return (await asked(() => manager.streams.getMessage(stream, { seq: sequence })))?.data ?? null;
    },
    async appendEpoch(payload, expected, id) {
      try {
        const ack = await client.publish(subjects.epoch(partition), payload, {
          expect: { lastSequence: expected },
          msgID: id,
          timeout: appendDeadlineMs,
        });
        return ack.seq === expected + 1 && !ack.duplicate ? ack.seq : null;
      } catch (error) {
        if (error instanceof JetStreamApiError && notAppended.includes(error.code)) return null;
        throw error;
      }
    },
    append({ eventKey, payload, expected, id, epoch, n, traces }) {
      const meta = headers();
      meta.set('Nats-Msg-Id', id);
      meta.set('Nats-Expected-Last-Sequence', String(expected));
      if (traces !== undefined) meta.set(journalTraceHeader, traces);
      const subject = eventKey === null ? subjects.commits(partition) : subjects.journal(partition, eventKey);
      nats.publish(subject, payload, { headers: meta, reply: `${inbox}.${epoch}-${n}` });
    },
    onAck(listener) {
      hear = listener;
    },
    close: () => acks.unsubscribe(),
  };
}

function ackOf(message: Msg, inbox: string): Ack {
  const { subject, data } = message;
  const dash = subject.indexOf('-', inbox.length);
  const epoch = Number(subject.slice(inbox.length + 1, dash));
  const n = Number(subject.slice(dash + 1));
  if (message.headers?.code === NO_RESPONDERS) return { epoch, n, wrong: 'no stream answered the append' };
  const ack = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1')) as {
    seq?: number;
    error?: { description: string };
  };
  if (ack.error) return { epoch, n, wrong: ack.error.description };
  return ack.seq === undefined ? { epoch, n, wrong: 'not an ack' } : { epoch, n, sequence: ack.seq };
}
