/** What a shard tells of the journal's storage and of its disk. */
import { tmpdir } from 'node:os';
import { type Disk, roomOnDisk } from '@parterre/shared/runtime/disk-watch';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { roomOf, StoreWatch, type StoreWatchPorts } from '../../../services/inventory-shard/src/cluster/store-watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Info = Awaited<ReturnType<StoreWatchPorts['infoOf']>>;

const seconds = (count: number): number => count * 1_000_000_000;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function copies(...silentSeconds: number[]): Info {
  const replicas = silentSeconds.map((silent, index) => ({
    name: `n${index}`,
    current: true,
    offline: false,
    active: seconds(silent),
  }));
  return { cluster: { leader: 'n', replicas } } as unknown as Info;
}

function watching() {
  const clock = new ManualClock();
  const state = {
    info: (): Promise<Info> => Promise.resolve({}),
    asked: [] as number[],
    disk: null as Disk | null,
    room: null as Disk | null,
  };
  const warned: string[] = [];
  const tell = (_fields: object, what: string) => void warned.push(what);
  const log = Object.assign(createLog('test', 'silent'), { info: tell, warn: tell, error: tell });
  const owned = [0, 1].map((number) => ({
    number,
    partition: { unackedSince: null as number | null, committedAt: 0 },
  }));
  const infoOf = (partition: number) => {
    state.asked.push(partition);
    return state.info();
  };
  const measureDisk = async () => state.disk!;
  const watch = new StoreWatch({
    clock,
    log,
    infoOf,
    owned: () => owned,
    measureDisk,
    measureRoom: async () => state.room,
  });
  watch.start();
  /** Lets time pass in the steps of the looks. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 250) {
      await settled();
      clock.advance(250);
    }
    await settled();
  };
  return { clock, state, owned, warned, watch, pass };
}

test('the storage is down within two seconds of its last good answer, and ok with the next', async () => {
  const { state, watch, pass } = watching();
  await pass(1_000);
  expect(watch.told().store).toBe('ok');
  state.info = () => Promise.reject(new Error('JetStream is not enabled'));
  await pass(2_000);
  expect(watch.told().store).toBe('down');
  state.info = () => Promise.resolve({});
  await pass(500);
  expect(watch.told().store).toBe('ok');
});

test('a stream in the middle of its election does not count, while another stream answers', async () => {
  const { state, watch, pass } = watching();
  state.info = () => (state.asked.at(-1) === 0 ? Promise.reject(new Error('no leader')) : Promise.resolve({}));
  await pass(5_000);
  expect(watch.told().store).toBe('ok');
  expect(new Set(state.asked)).toEqual(new Set([0, 1]));
});

test.each([
  ['one of three copies is lost', copies(0.3, 9), 'ok'],
  ['a leader alone', copies(2.5, 9), 'down'],
  ['no leader', { cluster: { replicas: copies(0).cluster!.replicas } } as Info, 'down'],
] as const)('%s: the storage is %s', async (_name, info, expected) => {
  const { state, watch, pass } = watching();
  state.info = () => Promise.resolve(info);
  await pass(2_000);
  expect(watch.told().store).toBe(expected);
});

test('an append without an ack shows, although the streams answer, until another append is acknowledged', async () => {
  const { clock, owned, watch, pass } = watching();
  owned[0]!.partition.unackedSince = clock.elapsed();
  await pass(1_000);
  expect(watch.told().store).toBe('ok');
  await pass(1_000);
  expect(watch.told().store).toBe('down');
  owned[1]!.partition.committedAt = clock.elapsed();
  expect(watch.told().store).toBe('ok');
});

const room = (usedShare: number): Disk => ({ usedShare, bytesFree: (1 - usedShare) * 1e9 });

test('a disk and the storage of NATS are told from 80 and 90 % on and when full, each once', async () => {
  const { state, warned, watch, pass } = watching();
  const told: string[] = [];
  for (const usedShare of [0.5, 0.81, 0.85, 0.92, 0.9999, 0.7]) {
    state.disk = room(usedShare);
    await pass(1_000);
    told.push(watch.told().disk);
  }
  expect(told).toEqual(['ok', 'filling', 'filling', 'low', 'full', 'ok']);
  const disk = 'the disk of the data folder';
  const full = 'full: nothing is sold and nothing is changed there';
  expect(warned.splice(0)).toEqual([
    `${disk} is 81 % full`,
    `${disk} is 92 % full`,
    `${disk} is ${full}`,
    `${disk} has room again`,
  ]);
  state.room = room(0.95);
  await pass(1_000);
  expect(watch.told().disk).toBe('low');
  expect(warned).toEqual(['the storage that NATS grants this deployment is 95 % full']);
});

test('the fullest tier of an account with a limit is its room', () => {
  const limits = (max: number) => ({ max_storage: max }) as Parameters<typeof roomOf>[0]['limits'];
  expect(roomOf({ storage: 5, limits: limits(-1) }, 0)).toBeNull();
  expect(roomOf({ storage: 80, limits: limits(-1) }, 200)).toEqual({ usedShare: 0.4, bytesFree: 120 });
  expect(roomOf({ storage: 75, limits: limits(100) }, 200)).toEqual({ usedShare: 0.75, bytesFree: 25 });
  const tiers = { R1: { storage: 10, limits: limits(100) }, R3: { storage: 95, limits: limits(100) } } as never;
  expect(roomOf({ storage: 105, limits: limits(0), tiers }, 0)).toEqual({ usedShare: 0.95, bytesFree: 5 });
});

test('the disk of a folder is measured', async () => {
  const { usedShare, bytesFree } = await roomOnDisk(tmpdir());
  expect(usedShare).toBeGreaterThanOrEqual(0);
  expect(usedShare).toBeLessThanOrEqual(1);
  expect(bytesFree).toBeGreaterThanOrEqual(0);
});
