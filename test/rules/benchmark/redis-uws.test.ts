/** The baseline of uWebSockets.js before Redis, beside a stand-in for Redis that sends its replies in pieces. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

let redis: Server;
let front: ChildProcess;
let url: string;
/** The commands, as lists of arguments. */
const commands: string[][] = [];

/** The reply to a command, in RESP. Whatever names the seat or hold "gone" is refused. */
function replyTo(command: string[]): string {
  const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
  if (command[0] === 'SCRIPT') return bulk(command[2]!.includes("'PX'") ? 'hold-digest' : 'book-digest');
  if (command[0] === 'HSET') return ':2\r\n';
  if (command[1] === 'hold-digest') return command.includes('gone') ? ':0\r\n' : ':1\r\n';
  return command[4] === 'hold:gone' ? '$-1\r\n' : bulk('["A-1","A-2"]');
}

function serve(socket: Socket): void {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    text += bytes;
    for (;;) {
      const size = /^\*(\d+)\r\n/.exec(text);
      const count = Number(size?.[1] ?? 0);
      const parts = size ? text.slice(size[0].length).split('\r\n') : [];
      if (!size || parts.length <= count * 2) return;
      // No argument but a script has a line break, and a script has only \n.
      const command = Array.from({ length: count }, (_, at) => parts[at * 2 + 1]!);
      text = parts.slice(count * 2).join('\r\n');
      commands.push(command);
      for (const piece of replyTo(command)) socket.write(piece);
    }
  });
}

beforeAll(async () => {
  redis = createServer(serve).listen(0, '127.0.0.1');
  await once(redis, 'listening');
  const { port } = redis.address() as { port: number };
  front = fork('bench/baselines/redis-uws.mjs', [String(port)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [message] = (await once(front, 'message')) as [{ port: number }];
  url = `http://127.0.0.1:${message.port}/v1/events/gala`;
});

afterAll(async () => {
  const exited = once(front, 'exit');
  front.kill();
  await exited;
  redis.close();
});

async function call(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('an event opens with free seats, and a hold and its booking run as scripts', async () => {
  expect(await call('', { labels: ['A-1', 'A-2'] })).toEqual({ status: 200, body: { event: 'gala' } });
  expect(commands.at(-1)).toEqual(['HSET', 'seats:gala', 'A-1', '', 'A-2', '']);
  const held = await call('/hold', { labels: ['A-1', 'A-2'] });
  expect(held).toMatchObject({ status: 200, body: { labels: ['A-1', 'A-2'] } });
  const { holdId } = held.body as { holdId: string };
  const keys = ['2', 'seats:gala', `hold:${holdId}`];
  expect(commands.at(-1)).toEqual(['EVALSHA', 'hold-digest', ...keys, holdId, '900000', 'A-1', 'A-2']);
  expect(await call('/book', { holdId, bookingRef: 'order-1' })).toEqual({
    status: 200,
    body: { bookingRef: 'order-1', labels: ['A-1', 'A-2'] },
  });
  expect(commands.at(-1)).toEqual(['EVALSHA', 'book-digest', ...keys, 'order-1']);
});

test('a taken seat and an unknown hold are 409', async () => {
  expect(await call('/hold', { labels: ['gone'] })).toMatchObject({ status: 409 });
  expect(await call('/book', { holdId: 'gone', bookingRef: 'order-1' })).toMatchObject({ status: 409 });
});

test('many callers at once get their own answers', async () => {
  const labels = Array.from({ length: 40 }, (_, seat) => (seat % 2 === 0 ? `A-${seat}` : 'gone'));
  const answers = await Promise.all(labels.map((label) => call('/hold', { labels: [label] })));
  expect(answers.map(({ status }) => status)).toEqual(labels.map((label) => (label === 'gone' ? 409 : 200)));
});
