/** Direct links between a front door and a shard over real sockets. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Fault } from '@parterre/shared/protocol/errors';
import { journalForm } from '@parterre/shared/protocol/journal/heads';
import {
  batchFrame,
  type Challenge,
  FrameReader,
  frameKind,
  frameOf,
  handshakeFrameBytesMax,
  type LinkKeys,
  prove,
} from '@parterre/shared/protocol/link/link';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { keyFor } from '@parterre/shared/runtime/deployment-secret';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, onTestFinished, test } from 'vitest';
import { createCommandBus } from '../../../services/frontdoor/src/shards/command-bus.ts';
import { ShardLinks } from '../../../services/frontdoor/src/shards/shard-links.ts';
import { type LinkPort, LinkServer } from '../../../services/inventory-shard/src/links/link-server.ts';
import type { Take } from '../../../services/inventory-shard/src/partition/partition.ts';

const key = keyFor('links', 'the secret of this deployment, long enough');
const nextKey = keyFor('links', 'the secret after it, which is long enough');
const frontDoor = '_INBOX.front';
const partition = 3;
const epoch = 7;

type Options = { clock?: Clock; port?: LinkPort; keys?: LinkKeys };

async function startShard(take: Take = () => {}, { clock = systemClock, port = null, keys = [key] }: Options = {}) {
  const server = new LinkServer({ keys, clock, log: createLog('test', 'silent') });
  onTestFinished(() => server.close());
  const endDelivery = server.deliver(partition, epoch, take);
  return { server, endDelivery, address: (await server.listen(port))! };
}

function startFrontDoor(address: string, keys: LinkKeys = [key]) {
  let hasNats = true;
  const clock = { ...systemClock, nowMs: 0, elapsed: () => clock.nowMs };
  const seen = { replies: [] as string[], undelivered: [] as number[], doubts: [] as number[], faults: [] as Fault[] };
  const links = new ShardLinks(keys, clock, () => hasNats);
  onTestFinished(() => links.close());
  links.listen(frontDoor, {
    onReplies: (payload) => seen.replies.push(Buffer.from(payload).toString()),
    onUndelivered: (batch) => seen.undelivered.push(batch),
    onDoubt: (doubtful) => seen.doubts.push(doubtful),
    onFault: (fault) => seen.faults.push(fault),
  });
  const beat = (owns: [number, number][] = [[partition, epoch]], id = 'shd_1', link: string | null = address) =>
    links.hear({ id, owns, regions: [], leaving: false, form: journalForm, ...(link === null ? {} : { link }) });
  beat();
  const loseNats = () => {
    hasNats = false;
  };
  return { links, seen, beat, clock, loseNats };
}

const isOpen = (links: ShardLinks) => expect.poll(() => links.open).toBe(1);
/** False if there is no link. */
const send = (links: ShardLinks, batch: number, text = 'commands', to = epoch): boolean => {
  const link = links.to(partition, to);
  link?.send(partition, to, batch, Buffer.from(text));
  return link !== null;
};

test('batches go to the owner, and its replies come back over the link', async () => {
  const taken: string[] = [];
  const { server, address } = await startShard((payload, replyTo) => {
    taken.push(`${replyTo} ${Buffer.from(payload)}`);
    server.linkOf(frontDoor)!.answer(Buffer.from(`done ${taken.length}`));
  });
  const { links, seen } = startFrontDoor(address);
  expect(send(links, 1)).toBe(false);
  await isOpen(links);
  const long = 'x'.repeat(300_000);
  for (const [n, text] of ['a', 'b', long].entries()) expect(send(links, n, text)).toBe(true);
  await expect.poll(() => seen.replies).toEqual(['done 1', 'done 2', 'done 3']);
  expect(taken).toEqual([`${frontDoor}.0 a`, `${frontDoor}.1 b`, `${frontDoor}.2 ${long}`]);
});

test.runIf(process.platform === 'linux')('the port of a shard is an abstract name, which leaves no file', async () => {
  expect((await startShard()).address).toMatch(/^\0parterre-link-/);
});

test('a closed link is reported to the shards, which then look for its owner', async () => {
  const { server, address } = await startShard();
  const published: string[] = [];
  let hearBeat: (error: null, message: { data: Uint8Array }) => void = () => {};
  const nats = {
    isClosed: () => false,
    publish: (subject: string) => published.push(subject),
    subscribe: (subject: string, { callback }: { callback: typeof hearBeat }) => {
      if (subject === subjects.allMembers) hearBeat = callback;
      return { unsubscribe() {} };
    },
  };
  const bus = createCommandBus(nats as never, new ShardLinks([key], systemClock, () => true));
  onTestFinished(() => bus.close());
  const doubts: number[] = [];
  const nothing = () => {};
  const onDoubt = (doubtful: number) => doubts.push(doubtful);
  bus.listen({ onReplies: nothing, onUndelivered: nothing, onOwner: nothing, onFault: nothing, onDoubt });
  hearBeat(null, {
    data: encode({ id: 'shd_1', owns: [[partition, epoch]], regions: [], leaving: false, link: address }),
  });
  await expect.poll(() => bus.openLinks()).toBe(1);
  server.close();
  await expect.poll(() => doubts).toEqual([partition]);
  expect(published).toEqual([subjects.orphaned(partition)]);
});

test('a batch for another epoch is not taken, neither here nor there', async () => {
  const taken: string[] = [];
  const { address, endDelivery } = await startShard((_payload, replyTo) => taken.push(replyTo));
  const { links, seen, beat } = startFrontDoor(address);
  await isOpen(links);
  expect(send(links, 1, 'commands', epoch - 1)).toBe(false);
  beat([[partition, epoch + 1]]);
  expect(send(links, 2, 'commands', epoch + 1)).toBe(true);
  await expect.poll(() => seen.undelivered).toEqual([2]);
  beat([[partition, epoch]]);
  expect(send(links, 3)).toBe(false);
  endDelivery();
  expect(taken).toEqual([]);
});

test('a beat of another owner without a link moves the partition to NATS', async () => {
  const { address } = await startShard();
  const { links, beat } = startFrontDoor(address);
  await isOpen(links);
  beat([[partition, epoch + 1]], 'shd_2', null);
  expect(send(links, 1, 'commands', epoch + 1)).toBe(false);
  expect(send(links, 1)).toBe(false);
});

test('a front door without NATS, or without beats for a second, uses no link', async () => {
  const { address } = await startShard();
  const { links, beat, clock, loseNats } = startFrontDoor(address);
  await isOpen(links);
  clock.nowMs = 1_000;
  expect(send(links, 1)).toBe(false);
  beat();
  expect(send(links, 2)).toBe(true);
  loseNats();
  expect(send(links, 3)).toBe(false);
});

test('a front door with another secret, and a shard with another secret, get no link', async () => {
  const { address, server } = await startShard();
  const { links } = startFrontDoor(address, [nextKey]);
  const stranger = connect(address);
  const [first] = (await once(stranger, 'data')) as [Buffer];
  expect(first[4]).toBe(frameKind.challenge);
  stranger.write(batchFrame(partition, epoch, 1, Buffer.from('commands')));
  await once(stranger, 'close');
  expect(links.open + server.size).toBe(0);
});

test.each<[string, LinkKeys, LinkKeys]>([
  ['a front door that is ahead, and a shard that is not', [nextKey, key], [key]],
  ['a shard that is ahead, and a front door that is not', [key], [nextKey, key]],
  ['both with both', [nextKey, key], [nextKey, key]],
  ['a front door that is done, and a shard that is not', [nextKey], [nextKey, key]],
])('while the secret changes a link opens at its first try: %s', async (_, ofFrontDoor, ofShard) => {
  const { address } = await startShard(() => {}, { keys: ofShard });
  const { links } = startFrontDoor(address, ofFrontDoor);
  // The clock of the front door stands still, so there is no second try.
  await isOpen(links);
});

test('a front door with another version gets no link', async () => {
  const { server, address } = await startShard();
  const socket = connect(address);
  onTestFinished(() => void socket.destroy());
  const [first] = (await once(socket, 'data')) as [Buffer];
  const proof = prove([key], decode<Challenge>(first.subarray(5)), frontDoor);
  socket.write(frameOf(frameKind.proof, encode({ ...proof, v: proof.v + 1 })));
  await once(socket, 'close');
  expect(server.size).toBe(0);
});

test('a stranger may send little, and has little time', async () => {
  const { address } = await startShard();
  const loud = connect(address);
  loud.on('error', () => {}).resume();
  loud.write(frameOf(frameKind.proof, Buffer.alloc(handshakeFrameBytesMax)));
  await once(loud, 'close');
  const silent = connect(address);
  const begun = performance.now();
  silent.resume();
  await once(silent, 'close');
  expect(performance.now() - begun).toBeGreaterThan(1_500);
});

test('a lost link tells of doubt, and the next shard at its address gets a link', async () => {
  const first = await startShard(() => {}, { port: { host: '127.0.0.1', port: 0 } });
  const { links, seen } = startFrontDoor(first.address);
  await isOpen(links);
  send(links, 1);
  first.server.close();
  await expect.poll(() => seen.doubts).toEqual([partition]);
  expect(send(links, 2)).toBe(false);
  expect(first.server.linkOf(frontDoor)).toBe(null);
  const taken: string[] = [];
  const port = { host: '127.0.0.1', port: Number(first.address.split(':')[1]) };
  await startShard((_payload, replyTo) => taken.push(replyTo), { port });
  await isOpen(links);
  expect(send(links, 3)).toBe(true);
  await expect.poll(() => taken).toEqual([`${frontDoor}.3`]);
});

test('a frame that cannot be read ends the link, and the fault names the address and keeps the cause', async () => {
  const shard = createServer((socket) => socket.write(frameOf(frameKind.challenge, Buffer.of(0x82, 0xa1))));
  onTestFinished(() => void shard.close());
  shard.listen(0, '127.0.0.1');
  await once(shard, 'listening');
  const address = `127.0.0.1:${(shard.address() as { port: number }).port}`;
  const { links, seen } = startFrontDoor(address);
  await expect.poll(() => seen.faults.length).toBeGreaterThan(0);
  expect(seen.faults[0]).toMatchObject({ message: `read the direct link to ${address}`, cause: expect.any(Error) });
  expect(links.open).toBe(0);
});

test('a link whose shard says nothing any more is closed', async () => {
  const { address } = await startShard(() => {}, { clock: { ...systemClock, after: () => () => {} } });
  const { links, seen, clock } = startFrontDoor(address);
  await isOpen(links);
  clock.nowMs = 1_001;
  await expect.poll(() => seen.doubts, { timeout: 5_000 }).toEqual([partition]);
});

test('a second link of a front door takes the place of the first', async () => {
  const { address, server } = await startShard();
  const first = startFrontDoor(address);
  await isOpen(first.links);
  const second = startFrontDoor(address);
  await isOpen(second.links);
  await expect.poll(() => first.seen.doubts).toEqual([partition]);
  first.links.close();
  server.linkOf(frontDoor)!.answer(Buffer.from('to the second'));
  await expect.poll(() => second.seen.replies).toEqual(['to the second']);
  expect(first.seen.replies).toEqual([]);
});

test('frames are cut wherever the bytes are cut', () => {
  const frames = [encode({ a: 1 }), Buffer.alloc(0), Buffer.from('xyz')].map((body, kind) => frameOf(kind + 1, body));
  const bytes = Buffer.concat(frames);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new FrameReader(100);
    const read: Uint8Array[] = [];
    for (const chunk of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      reader.read(chunk, (kind, body) => read.push(frameOf(kind, body)));
    }
    expect(Buffer.concat(read)).toEqual(bytes);
  }
  const frameBytes = Buffer.from(frameOf(1, Buffer.alloc(100)));
  expect(() => new FrameReader(100).read(frameBytes, () => {})).toThrow('read a frame');
});
