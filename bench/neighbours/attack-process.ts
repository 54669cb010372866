/**
 * An attack, in a process of its own. Requests, sockets or pings go on until the time is up, also when they are
 * refused. Each attack has a bound on its rate: a server that refuses at once must not be measured beside a generator
 * that fills the cores. At the end every connection of the attack is cut, as that of an attacker who goes away.
 *
 * States of a connection: waiting (for its turn in the rate) → asking → (an answer, an error, or 20 s) waiting.
 * Failure: an error of a connection is counted under its code, and the connection goes on.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MIB } from '@parterre/shared/runtime/units';

export type AttackRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** `{n}` stands for the number of the request. A body of junk is a chart document of so many empty objects. */
  body?: string | { junkObjects: number };
};
export type Attack =
  | { type: 'requests'; connections: number; addresses: string[]; perSecond: number; requests: AttackRequest[] }
  /** A socket for each path. A socket that is refused or closed is tried again. */
  | { type: 'watchers'; paths: string[]; token: string; addresses: string[]; perSecond: number }
  /** Sockets of a buyer's page that send pings of 4 KB. A socket that is closed is opened again. */
  | { type: 'pings'; sockets: number; eventPath: string; token: string; origin: string; bytesPerSecond: number };
export type AttackOrder = { port: number; seconds: number; attack: Attack };

export type AttackReport = {
  /** Answers by status, closed sockets by `closed`, and errors by code. */
  answers: Record<string, number>;
  seconds: number;
  /** CPU time of this process meanwhile. */
  cpuSeconds: number;
};

/** Requests with bodies, and pings, come over a link of this speed: a gigabit. */
const linkBytesPerSecond = 119 * MIB;
const answerMsMax = 20_000;
const retryMs = 250;

type Requests = Extract<Attack, { type: 'requests' }>;
type Body = string | Buffer | undefined;
type Run = { port: number; endsAt: number; count(answer: string): void; sockets: Set<Socket> };

const isOver = ({ endsAt }: Run): boolean => performance.now() >= endsAt;

/** Resolves at the next turn of a rate, one after the other for all connections. */
function turnsOf(perSecond: number): () => Promise<void> {
  let nextAt = performance.now();
  return async () => {
    const at = Math.max(nextAt, performance.now());
    nextAt = at + 1000 / perSecond;
    if (at > performance.now()) await pause(at - performance.now());
  };
}

async function sendRequests(run: Run, attack: Requests, bodies: readonly Body[]): Promise<void> {
  const bytesMax = Math.max(1, ...bodies.map((body) => body?.length ?? 0));
  const turn = turnsOf(Math.min(attack.perSecond, linkBytesPerSecond / bytesMax));
  let number = 0;
  const connection = async (_: unknown, at: number): Promise<void> => {
    const localAddress = attack.addresses[at % attack.addresses.length]!;
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
    for (let step = at; !isOver(run); step++) {
      await turn();
      if (isOver(run)) break;
      const index = step % attack.requests.length;
      const body = bodies[index];
      const text = typeof body === 'string' ? body.replace('{n}', String(++number)) : body;
      run.count(await answerOf(run, agent, attack.requests[index]!, text));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: attack.connections }, connection));
}

function answerOf(run: Run, agent: Agent, asked: AttackRequest, body?: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const { method, path, headers } = asked;
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { host: '127.0.0.1', port: run.port, method, path, agent, headers: { ...headers, ...length } };
    const sent = request(options, (response: IncomingMessage) => {
      resolve(String(response.statusCode));
      response.on('error', () => {});
      response.resume();
    });
    const timer = setTimeout(() => sent.destroy(new Error('none in 20 s')), answerMsMax);
    sent.on('socket', (socket) => {
      if (run.sockets.has(socket)) return;
      run.sockets.add(socket);
      socket.once('close', () => run.sockets.delete(socket));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.on('close', () => {
      clearTimeout(timer);
      resolve('no answer');
    });
    sent.end(body);
  });
}

/** The document of the review: 8 bytes an object. No server saves it. */
function junkChart(objects: number): Buffer {
  return Buffer.from(
    `{"doc":{"version":1,"a":[${'{"a":1},'.repeat(objects)}1]},"expectedUpdatedAt":1,"name":"Junk"}`,
    'latin1',
  );
}

type Upgrade = { path: string; headers: string; localAddress: string; onOpen?: (socket: Socket) => void };

/** Resolves with the status; a socket that was open and is closed is counted as `closed`. */
function openSocket(run: Run, { path, headers, localAddress, onOpen }: Upgrade, onClosed: () => void) {
  return new Promise<string>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: run.port, localAddress, noDelay: true });
    run.sockets.add(socket);
    let status = '';
    socket.on('data', (data) => {
      if (status === '') {
        status = data.toString('latin1', 9, 12);
        resolve(status);
        if (status === '101') onOpen?.(socket);
        else socket.destroy();
      }
      if (data.length >= 2 && data[data.length - 2] === serverPing[0] && data[data.length - 1] === serverPing[1]) {
        socket.write(pong);
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.on('close', () => {
      run.sockets.delete(socket);
      resolve('no answer');
      if (status === '101') onClosed();
    });
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${run.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`,
    );
  });
}

const serverPing = Buffer.of(0x89, 0);
/** Without a payload, and with a mask of zeros. */
const pong = Buffer.of(0x8a, 0x80, 0, 0, 0, 0);

async function watch(run: Run, attack: Extract<Attack, { type: 'watchers' }>): Promise<void> {
  const turn = turnsOf(attack.perSecond);
  const waiting = [...attack.paths];
  const headers = `Authorization: Bearer ${attack.token}\r\nSec-WebSocket-Protocol: parterre.v1\r\n`;
  let number = 0;
  const opener = async (): Promise<void> => {
    while (!isOver(run)) {
      const path = waiting.shift();
      await (path === undefined ? pause(retryMs) : turn());
      if (path === undefined || isOver(run)) continue;
      const localAddress = attack.addresses[number++ % attack.addresses.length]!;
      const status = await openSocket(run, { path, headers, localAddress }, () => {
        run.count('closed');
        waiting.push(path);
      });
      run.count(status);
      if (status !== '101') waiting.push(path);
    }
  };
  await Promise.all(Array.from({ length: 32 }, opener));
}

const pingBytes = 4_000;
const pingEveryMs = 10;
/** Bytes that one socket leaves untaken before it skips a turn. */
const untakenBytesMax = 256 * 1024;

/** A masked text frame, its mask of zeros. */
function pingFrame(): Buffer {
  const head = '{"type":"ping","padding":"';
  const payload = Buffer.from(`${head}${'x'.repeat(pingBytes - head.length - 2)}"}`);
  const frame = Buffer.alloc(8 + payload.length);
  frame.writeUInt8(0x81, 0);
  frame.writeUInt8(0x80 | 126, 1);
  frame.writeUInt16BE(payload.length, 2);
  payload.copy(frame, 8);
  return frame;
}

async function sendPings(run: Run, attack: Extract<Attack, { type: 'pings' }>): Promise<void> {
  const perTurn = attack.bytesPerSecond / attack.sockets / pingBytes / (1000 / pingEveryMs);
  const burst = Buffer.concat(Array.from({ length: Math.ceil(perTurn) }, pingFrame));
  const headers = { Authorization: `Bearer ${attack.token}`, Origin: attack.origin };
  const pinger = async (): Promise<void> => {
    while (!isOver(run)) {
      const ticket = await ticketOf(run.port, `${attack.eventPath}/subscribe-tickets`, headers);
      let isOpen = false;
      const offer = `Sec-WebSocket-Protocol: parterre.v1, tkt.${ticket}\r\n`;
      const closed = () => {
        isOpen = false;
        run.count('closed');
      };
      let opened: Socket | null = null;
      const onOpen = (socket: Socket) => {
        isOpen = true;
        opened = socket;
      };
      const address = { path: `${attack.eventPath}/subscribe`, headers: offer, localAddress: '127.0.1.1', onOpen };
      run.count(await openSocket(run, address, closed));
      for (let at = performance.now(); isOpen && !isOver(run); at += (Math.ceil(perTurn) / perTurn) * pingEveryMs) {
        const socket = opened! as Socket;
        if (socket.writableLength < untakenBytesMax) socket.write(burst);
        await pause(Math.max(1, at - performance.now()));
      }
      await pause(retryMs);
    }
  };
  await Promise.all(Array.from({ length: attack.sockets }, pinger));
}

function ticketOf(port: number, path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(response.statusCode === 200 ? JSON.parse(text).ticket : 'none'));
    });
    asked.on('error', () => resolve('none'));
    asked.end();
  });
}

/** Makes the bodies, and returns the attack itself. */
function prepared(attack: Attack): (run: Run) => Promise<void> {
  switch (attack.type) {
    case 'requests': {
      const bodies = attack.requests.map(({ body }) => (typeof body === 'object' ? junkChart(body.junkObjects) : body));
      return (run) => sendRequests(run, attack, bodies);
    }
    case 'watchers':
      return (run) => watch(run, attack);
    case 'pings':
      return (run) => sendPings(run, attack);
  }
}

async function runAttack(order: AttackOrder, attack: ReturnType<typeof prepared>): Promise<AttackReport> {
  const { port, seconds } = order;
  const answers: Record<string, number> = {};
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const run: Run = {
    port,
    endsAt: startedAt + seconds * 1000,
    count(answer) {
      const name = performance.now() < run.endsAt ? answer : 'cut at the end';
      answers[name] = (answers[name] ?? 0) + 1;
    },
    sockets: new Set(),
  };
  const done = attack(run);
  await pause(seconds * 1000);
  for (const socket of run.sockets) socket.destroy();
  await done;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    answers,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
  };
}

/** The order comes first, and `go` when the measurement begins. */
process.once('message', (order: AttackOrder) => {
  const attack = prepared(order.attack);
  process.once('message', () => {
    void runAttack(order, attack).then((report) => process.send!(report));
  });
  process.send!('ready');
});
process.on('disconnect', () => process.exit(0));
