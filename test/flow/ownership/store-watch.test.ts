/** What a shard tells of the journal's storage and of its disk. */
import { tmpdir } from 'node:os';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { diskOf, StoreWatch, type StoreWatchPorts } from '../../../services/inventory-shard/src/cluster/store-watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Disk = Awaited<ReturnType<typeof diskOf>>;
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
  const state = { info: (): Promise<Info> => Promise.resolve({}), asked: [] as number[], disk: null as Disk | null };
  const warned: string[] = [];
  const log = Object.assign(createLog('test', 'silent'), {
    warn: (_fields: object, what: string) => void warned.push(what),
  });
  const owned = [0, 1].map((number) => ({
    number,
    partition: { unackedSince: null as number | null, committedAt: 0 },
  }));
  const infoOf = (partition: number) => {
    state.asked.push(partition);
    return state.info();
  };
  const measureDisk = async () => state.disk!;
  const watch = new StoreWatch({ clock, log, infoOf, owned: () => owned, measureDisk });
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

test('the disk is low from 90 %, full without room for a block, and the log warns once at 80 % and at 90 %', async () => {
  const { state, warned, watch, pass } = watching();
  const told: string[] = [];
  for (const usedShare of [0.5, 0.81, 0.85, 0.92, 0.9999, 0.7]) {
    state.disk = { usedShare, bytesFree: (1 - usedShare) * 1e9 };
    await pass(1_000);
    told.push(watch.told().disk);
  }
  expect(told).toEqual(['ok', 'ok', 'ok', 'low', 'full', 'ok']);
  expect(warned).toEqual([80, 90].map((share) => `the disk of the data folder is more than ${share} % full`));
});

test('the disk of a folder is measured', async () => {
  const { usedShare, bytesFree } = await diskOf(tmpdir());
  expect(usedShare).toBeGreaterThanOrEqual(0);
  expect(usedShare).toBeLessThanOrEqual(1);
  expect(bytesFree).toBeGreaterThanOrEqual(0);
});
