/**
 * `npm run bench -- commit-forms`: three forms of a commit of many events on a journal stream: a message for each
 * event, one message with all parts (as the journal has it), and JetStream's atomic batch (nats-server 2.12 and newer).
 * Prints the commits of a second and the median time from the send of a commit to its last ack, with one and with eight
 * commits in flight. The forms take turns, and each figure is the median of the rounds: machines drift.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { connectTo, startNats, startNatsCluster } from '../../test/support/servers/nats.ts';
import { readArguments } from '../arguments.ts';

const options = readArguments({
  events: { type: 'string', default: '64' },
  partBytes: { type: 'string', default: '200' },
  roundMs: { type: 'string', default: '2000' },
  rounds: { type: 'string', default: '5' },
  sync: { type: 'string', default: 'always' },
  /** 1, or 3 servers with a copy each. */
  replicas: { type: 'string', default: '1' },
});
const events = Number(options.events);
const replicas = Number(options.replicas);
const part = new Uint8Array(Number(options.partBytes)).fill(7);
const forms = ['messages', 'one message', 'atomic batch'] as const;
const windows = [1, 8];
/** The time for the last acks of a round. */
const ackMsMax = 10_000;
const readyTriesMax = 20;

type Form = (typeof forms)[number];
type Figures = { commitsPerSecond: number; latencyMs: number };

async function main(): Promise<void> {
  const { sync } = options;
  const nats = replicas === 1 ? await startNats({ sync }) : await startNatsCluster(replicas, { sync });
  const connection = await connectTo(nats.url);
  console.log(
    `nats-server ${connection.info?.version}, ${replicas} copies, sync ${sync}, ${events} events, parts of ${part.length} B`,
  );
  try {
    const found = new Map<string, Figures[]>();
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const window of windows) {
        for (const form of forms) {
          const name = `${form.padEnd(14)} ${window} in flight`;
          found.set(name, [...(found.get(name) ?? []), await measure(connection, form, window)]);
        }
      }
    }
    for (const [name, rounds] of found) {
      const perSecond = median(rounds.map(({ commitsPerSecond }) => commitsPerSecond));
      const latency = median(rounds.map(({ latencyMs }) => latencyMs));
      console.log(`${name}  ${perSecond.toFixed(0).padStart(6)} commits/s  ${latency.toFixed(2).padStart(7)} ms`);
    }
  } finally {
    await connection.close();
    await nats.stop();
  }
}

/** Commits on a fresh stream for `roundMs`, each behind the one before. Throws when the server refuses a message. */
async function measure(nats: NatsConnection, form: Form, window: number): Promise<Figures> {
  const manager = await jetstreamManager(nats);
  const stream = 'BENCH';
  await manager.streams.add({
    name: stream,
    subjects: ['bench.>'],
    allow_atomic: true,
    discard: 'new',
    num_replicas: replicas,
  });
  // A stream of several servers takes no message for a moment.
  const { seq } = await jetstream(nats).publish('bench.ready', part, { retries: readyTriesMax });
  const inbox = `_INBOX.${crypto.randomUUID()}`;
  const latencies: number[] = [];
  const endsAt = performance.now() + Number(options.roundMs);
  let stalled: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stalled = setTimeout(() => reject(new Error(`${form}: an ack is missing`)), Number(options.roundMs) + ackMsMax);
      const sentAt: number[] = [];
      let acks = 0;
      let sequence = seq;
      const acksOfCommit = form === 'messages' ? events : 1;
      const send = (): void => {
        sentAt.push(performance.now());
        sequence = append(nats, form, sequence, inbox);
      };
      nats.subscribe(inbox, {
        callback: (_, message) => {
          if (message.data.length === 0) return reject(new Error(`${form}: no stream answered`));
          const { error } = message.json<{ error?: { description: string } }>();
          if (error) reject(new Error(`${form}: ${error.description}`));
          if (++acks % acksOfCommit !== 0) return;
          latencies.push(performance.now() - sentAt[latencies.length]!);
          if (performance.now() < endsAt) send();
          else if (latencies.length === sentAt.length) resolve();
        },
      });
      for (let count = 0; count < window; count++) send();
    });
  } finally {
    clearTimeout(stalled);
    await manager.streams.delete(stream);
  }
  return { commitsPerSecond: (latencies.length * 1_000) / Number(options.roundMs), latencyMs: median(latencies) };
}

/** Sends one commit behind `sequence`. Returns the sequence of its last message. */
function append(nats: NatsConnection, form: Form, sequence: number, inbox: string): number {
  if (form === 'one message') {
    publish(nats, '_', joined, { expected: sequence, reply: inbox });
    return sequence + 1;
  }
  const batch = form === 'atomic batch' ? crypto.randomUUID() : null;
  for (let place = 1; place <= events; place++) {
    const isLast = place === events;
    publish(nats, `event-${place}`, part, {
      // The server takes the expectation of a batch from its first message alone.
      ...((batch === null || place === 1) && { expected: sequence + place - 1 }),
      ...(batch !== null && { batch: { id: batch, place, isLast } }),
      ...((batch === null || isLast) && { reply: inbox }),
    });
  }
  return sequence + events;
}

type Publish = { expected?: number; reply?: string; batch?: { id: string; place: number; isLast: boolean } };

const joined = new Uint8Array(events * part.length).fill(7);

function publish(nats: NatsConnection, subject: string, data: Uint8Array, { expected, reply, batch }: Publish): void {
  const meta = headers();
  if (expected !== undefined) meta.set('Nats-Expected-Last-Sequence', String(expected));
  if (batch) {
    meta.set('Nats-Batch-Id', batch.id);
    meta.set('Nats-Batch-Sequence', String(batch.place));
    if (batch.isLast) meta.set('Nats-Batch-Commit', '1');
  }
  nats.publish(`bench.${subject}`, data, { headers: meta, ...(reply !== undefined && { reply }) });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await main();
