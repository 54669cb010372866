/** The servers under other tests: the worker's own server, a cluster, and a link that can be cut. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { Link } from '../../support/servers/link.ts';
import { startNats, startNatsCluster } from '../../support/servers/nats.ts';

test('a cluster keeps three copies, and takes appends without one of its servers', async () => {
  const cluster = await startNatsCluster(3, { sync: '2m' });
  const nats = await connect({ servers: cluster.url.split(','), maxReconnectAttempts: -1 });
  try {
    const manager = await jetstreamManager(nats);
    const made = await manager.streams.add({ name: 'COPIES', subjects: ['copies'], num_replicas: 3 });
    expect(made.cluster?.replicas).toHaveLength(2);
    const appended = () =>
      jetstream(nats)
        .publish('copies', '', { timeout: 1_000 })
        .then(
          ({ seq }) => seq,
          () => 0,
        );
    // Routes learn of a new stream's subjects a moment after its creation.
    await expect.poll(appended, { timeout: 20_000 }).toBeGreaterThan(0);
    const before = await appended();
    const leader = cluster.servers[Number(made.cluster!.leader!.at(-1)) - 1]!;
    await leader.kill();
    // A try with a lost answer may have been appended.
    await expect.poll(appended, { timeout: 20_000 }).toBeGreaterThan(before);
    await leader.restart();
    const copies = async () => (await manager.streams.info('COPIES')).cluster?.replicas?.filter((peer) => peer.current);
    await expect.poll(copies, { timeout: 20_000 }).toHaveLength(2);
  } finally {
    await nats.close();
    await cluster.stop();
  }
});

test('a frozen link keeps sent bytes, a cut link loses them, and both can be restored', async () => {
  const server = await startNats();
  const link = await Link.to(server.url);
  const nats = await connect({ servers: link.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  try {
    const heard: string[] = [];
    nats.subscribe('words', { callback: (_, message) => void heard.push(message.string()) });
    await nats.flush();
    link.freeze();
    nats.publish('words', 'frozen');
    const flushed = nats.flush();
    expect(
      await Promise.race([flushed.then(() => 'passed'), new Promise((late) => setTimeout(late, 100, 'kept'))]),
    ).toBe('kept');
    expect(heard).toEqual([]);
    link.restore();
    await flushed;
    expect(heard).toEqual(['frozen']);

    const lost = nats.flush().then(
      () => 'passed',
      () => 'lost',
    );
    link.cut();
    expect(await lost).toBe('lost');
    link.restore();
    await expect
      .poll(
        () =>
          nats.flush().then(
            () => nats.isClosed(),
            () => true,
          ),
        { timeout: 10_000 },
      )
      .toBe(false);
    nats.publish('words', 'restored');
    await nats.flush();
    expect(heard).toEqual(['frozen', 'restored']);
  } finally {
    await nats.close();
    await link.close();
    await server.stop();
  }
});

test('a slow link takes its time', async () => {
  const server = await startNats();
  const link = await Link.to(server.url);
  const nats = await connect({ servers: link.url });
  try {
    link.slow(60);
    const since = performance.now();
    await nats.flush();
    // There and back, minus the resolution of timers.
    expect(performance.now() - since).toBeGreaterThan(110);
  } finally {
    await nats.close();
    await link.close();
    await server.stop();
  }
});

test("the worker's server comes back empty, and a second borrower at once gets another server", async () => {
  const first = await startNats();
  const other = await startNats();
  expect(other.url).not.toBe(first.url);
  await other.stop();
  await addStream(first.url, 'LEFT');
  await first.stop();
  const again = await startNats();
  expect([again.url, await streamsOf(again.url)]).toEqual([first.url, []]);
  await again.stop();
});

async function addStream(url: string, name: string): Promise<void> {
  const nats = await connect({ servers: url });
  await (await jetstreamManager(nats)).streams.add({ name, subjects: [name] });
  await nats.close();
}

async function streamsOf(url: string): Promise<string[]> {
  const nats = await connect({ servers: url });
  const streams = await (await jetstreamManager(nats)).streams.list().next();
  await nats.close();
  return streams.map(({ config }) => config.name);
}
