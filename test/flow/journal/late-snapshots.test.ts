/** A deposed owner whose write of a snapshot is late replaces no snapshot of its heir. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createSnapshotStore,
  type FrozenSnapshot,
  freeze,
  type SnapshotStore,
} from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { hold, house } from '../../support/inventory/house.ts';
import { noLink } from '../../support/journal/links.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;
let objects: ObjectStore;
let number = 0;

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});
beforeEach(async () => {
  objects = await new Objm(jetstream(nats)).create(`SNAPSHOTS-${number++}`);
});

async function storeOn(bucket: ObjectStore): Promise<SnapshotStore> {
  const manager = await jetstreamManager(nats);
  return createSnapshotStore(bucket, manager, createLog('test', 'silent'), new LoopTurn(systemClock));
}

/** A bucket whose first write waits for `go`, behind the read of the objects. `reached`: the write waits. */
function slowBucket() {
  let go = (): void => {};
  let reach = (): void => {};
  const went = new Promise<void>((resolve) => {
    go = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const bucket = Object.create(objects, {
    putBlob: {
      async value(...asked: Parameters<ObjectStore['putBlob']>) {
        reach();
        await went;
        return objects.putBlob(...asked);
      },
    },
  }) as ObjectStore;
  return { bucket, reached, go };
}

/** An event after one, two, three and four holds; each is a version. */
function states() {
  const event = house();
  const after = (n: number): FrozenSnapshot => {
    event.ok(hold(`h${n}`, `A-${n}`));
    event.state.version = n;
    return freeze(event.state, noLink);
  };
  return [after(1), after(2), after(3), after(4)] as const;
}

const sequencesOf = async (eventKey: string) => {
  const infos = await Promise.all([0, 1].map((slot) => objects.info(`${eventKey}.${slot}`)));
  return infos.flatMap((info) => (info ? Number(info.metadata!.sequence) : [])).sort((one, other) => one - other);
};

test('the late write of a deposed owner does not replace a snapshot of its heir', async () => {
  const [first, deposed, third, fourth] = states();
  const heir = await storeOn(objects);
  expect(await heir.store(first)).toBe(true);
  const { bucket, reached, go } = slowBucket();
  const late = (await storeOn(bucket)).store(deposed);
  await reached;
  expect(await heir.store(third)).toBe(true);
  expect(await heir.store(fourth)).toBe(true);
  go();
  // A newer snapshot stands, so the late one is not needed.
  expect(await late).toBe(true);
  expect(await sequencesOf(first.eventKey)).toEqual([3, 4]);
  expect(await heir.head(first.eventKey)).toMatchObject({ sequence: 4 });
  // Two snapshots of two messages each: the refused write leaves no piece behind.
  expect((await objects.status()).streamInfo.state.messages).toBe(4);
});

test('an heir that is overtaken by a late write of its predecessor stores its snapshot all the same', async () => {
  const [first, deposed, third] = states();
  const predecessor = await storeOn(objects);
  expect(await predecessor.store(first)).toBe(true);
  const { bucket, reached, go } = slowBucket();
  const stored = (await storeOn(bucket)).store(third);
  await reached;
  expect(await predecessor.store(deposed)).toBe(true);
  go();
  expect(await stored).toBe(true);
  expect(await sequencesOf(first.eventKey)).toEqual([2, 3]);
});
