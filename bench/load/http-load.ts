/**
 * The load: buyers that hold a seat and book it, one request under way on each keep-alive connection, next seat in
 * order. It runs in a process of its own (load-process.ts) and costs little, because it shares the cores with the
 * contender: plain sockets read into one buffer each, answers are found by their Content-Length, and only a hold's id
 * is parsed.
 */
import { connect } from 'node:net';

export type LoadOrder = {
  /** The ports of the front doors, which share the connections. */
  ports: number[];
  token: string;
  connections: number;
  /** The length of the round. It ends sooner when every seat was asked for. */
  seconds: number;
  /** Seat n is in `events[n % events.length]`; its label is the next of `labels`. */
  events: string[];
  labels: string[];
  /** The first seat to ask for. */
  from: number;
};

export type LoadResult = {
  /** Holds and bookings answered with 200. Any other answer ends the round with an error. */
  successes: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** CPU time of this process during the round. */
  cpuSeconds: number;
  /** The first seat of the next round. */
  next: number;
};

type Round = { order: LoadOrder; latenciesMs: number[]; started: number; until: number; next: number };

export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const clients = await Promise.all(
    Array.from({ length: order.connections }, (_, client) => connectClient(order.ports[client % order.ports.length]!)),
  );
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const round: Round = { order, latenciesMs: [], started, until: started + order.seconds * 1000, next: order.from };
  await Promise.all(clients.map((client, number) => sell(client, round, number)));
  const cpu = process.cpuUsage(cpuBefore);
  const { latenciesMs, until, next } = round;
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    successes: latenciesMs.length,
    seconds: (until - started) / 1000,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    next,
  };
}

export function medianOf(values: number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** The value below which `share` (0 to 1) of the sorted values lie. */
function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Buyers one after the other on one connection, until the round is over. */
function sell(client: Client, round: Round, number: number): Promise<void> {
  const { order } = round;
  const head = `Host: bench\r\nAuthorization: Bearer ${order.token}\r\nContent-Type: application/json\r\n`;
  let sentAt = 0;
  let event = '';
  let isHold = false;
  let turn = 0;

  const send = (action: string, body: unknown): void => {
    const text = JSON.stringify(body);
    sentAt = performance.now();
    client.send(`POST /v1/events/${event}/${action} HTTP/1.1\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}`);
  };

  const sendHold = (): void => {
    const seat = round.next++;
    event = order.events[seat % order.events.length]!;
    const label = order.labels[Math.floor(seat / order.events.length)];
    if (label === undefined) {
      // No seat is left to ask for. From now on some connections would be idle, so the round ends.
      round.until = Math.min(round.until, performance.now());
      client.end();
      return;
    }
    isHold = true;
    send('hold', { labels: [label] });
  };

  client.onAnswer = (answer) => {
    const now = performance.now();
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`refused: ${answer}`);
    if (now > round.until) return client.end();
    round.latenciesMs.push(now - sentAt);
    if (!isHold) return sendHold();
    const { holdId } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { holdId: string };
    isHold = false;
    send('book', { holdId, bookingRef: `order-${number}-${turn++}` });
  };

  sendHold();
  return client.ended;
}

type Client = {
  send(text: string): void;
  end(): void;
  /** Head and body as received. */
  onAnswer: (answer: string) => void;
  ended: Promise<void>;
};

const answerBytesMax = 64 * 1024;

function connectClient(port: number): Promise<Client> {
  return new Promise((resolve, reject) => {
    let pending = '';
    const read = (bytes: number, buffer: Uint8Array): boolean => {
      pending += (buffer as Buffer).toString('latin1', 0, bytes);
      const size = sizeOfAnswer(pending);
      if (pending.length < size) return true;
      const answer = pending;
      pending = '';
      try {
        if (answer.length > size) throw new Error(`more than one answer: ${answer}`);
        client.onAnswer(answer);
      } catch (error) {
        socket.destroy(error as Error);
      }
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafe(answerBytesMax), callback: read };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    const ended = new Promise<void>((done, failed) => {
      socket.once('close', (hadError) => hadError || done());
      socket.once('error', failed);
    });
    // A waiting request gets the error of the end. Before the connection is open, no request waits.
    ended.catch(() => {});
    const client: Client = {
      send: (text) => void socket.write(text, 'latin1'),
      end: () => void socket.destroy(),
      onAnswer: () => {},
      ended,
    };
    socket.once('connect', () => resolve(client));
    socket.once('error', reject);
  });
}

const lengthHeader = 'Content-Length: ';

/**
 * Characters of head and body; infinite while the head is incomplete. All servers here write the header in this form.
 */
function sizeOfAnswer(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  const at = text.indexOf(lengthHeader);
  if (at < 0 || at > headEnd) throw new Error(`an answer without a Content-Length: ${text}`);
  return headEnd + 4 + Number.parseInt(text.slice(at + lengthHeader.length, at + lengthHeader.length + 10), 10);
}
