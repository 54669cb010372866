/**
 * A NATS server that stops and restarts under a stream of holds, on each release: no acknowledged hold is lost, and
 * selling goes on.
 */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ownPartition } from '../../support/partition/owner.ts';
import { startSellers } from '../../support/partition/sellers.ts';
import { natsReleases, startNats, type TestNats } from '../../support/servers/nats.ts';

describe.each(natsReleases)('a server of version $version', (release) => {
  let server: TestNats;
  let nats: NatsConnection;
  let number = -1;

  beforeAll(async () => {
    server = await startNats({ ...release, sync: '2m' });
    nats = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  }, 300_000);
  afterAll(async () => {
    await nats?.close();
    await server?.stop();
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)('that restarts after %s loses no acknowledged hold', async (signal) => {
    number++;
    const owner = await ownPartition({ nats, number, name: `owner ${number}` });
    const sellers = await startSellers(owner, `night-${number}`);
    const outages: number[] = [];
    for (let restart = 0; restart < 3; restart++) {
      await sellers.sold(100);
      process.kill(server.pid, signal);
      const goneAt = performance.now();
      await server.restart();
      await sellers.sold(1);
      outages.push(performance.now() - goneAt);
    }
    await sellers.sold(50);
    await sellers.stop();
    await sellers.expectAllStand(server.url, number);
    console.log(
      `${release.version ?? 'current'} ${signal}: sells again after ${outages.map((ms) => ms.toFixed(0))} ms`,
    );
    owner.partition.close();
  });
});
