/** What a shard tells of the journal's storage and of its disk. */
import { tmpdir } from 'node:os';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { StoreWatch, type StoreWatchPorts } from '../../../services/inventory-shard/src/cluster/store-watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Owned = ReturnType<StoreWatchPorts['owned']>[number];
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

function watching(folder: string | null = null) {
  const clock = new ManualClock();
  const state = { info: (): Promise<Info> => Promise.resolve({}), asked: [] as number[] };
  const owned: Owned[] = [0, 1].map((number) => ({ number, partition: { recoveringSince: null, committedAt: 0 } }));
  const infoOf = (partition: number) => {
    state.asked.push(partition);
    return state.info();
  };
  const watch = new StoreWatch({ clock, log: createLog('test', 'silent'), infoOf, owned: () => owned, folder });
  watch.start();
  /** Lets time pass in the steps of the looks. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 250) {
      await settled();
      clock.advance(250);
    }
    await settled();
  };
  return { clock, state, owned, watch, pass };
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

test('appends that fail show, although the streams answer, until another append is acknowledged', async () => {
  const { clock, owned, watch, pass } = watching();
  owned[0]!.partition.recoveringSince = clock.elapsed();
  await pass(1_000);
  expect(watch.told().store).toBe('ok');
  await pass(1_000);
  expect(watch.told().store).toBe('down');
  owned[1]!.partition.committedAt = clock.elapsed();
  expect(watch.told().store).toBe('ok');
});

test('the disk of a folder is measured', async () => {
  const { watch, pass } = watching(tmpdir());
  await expect.poll(() => pass(500).then(() => watch.disk)).not.toBeNull();
  expect(watch.disk!.usedShare).toBeGreaterThanOrEqual(0);
  expect(watch.disk!.usedShare).toBeLessThanOrEqual(1);
  expect(watching().watch.measuresDisk).toBe(false);
});
