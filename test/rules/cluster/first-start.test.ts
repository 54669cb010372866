/** The first start of a cluster under load: streams without a leader, and refusals that pass. */
import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import { SettingFault } from '@parterre/shared/runtime/environment';
import { createLog } from '@parterre/shared/runtime/log';
import { natsIsNotReady, whenReady } from '@parterre/shared/runtime/when-ready';
import { expect, test } from 'vitest';
import { ensureJournalStreams } from '../../../services/inventory-shard/src/journal/streams.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const api = (status: number, code: number, description = 'refused') =>
  new JetStreamApiError({ code: status, err_code: code, description } as never);
const notFound = api(404, 10_059);
const nothingKnown = { of: async () => null };

function listening() {
  const lines: string[] = [];
  const tell = (level: string) => (_fields: object, line: string) => void lines.push(`${level}: ${line}`);
  return { lines, log: Object.assign(createLog('test', 'silent'), { info: tell('info'), warn: tell('warn') }) };
}

/** Lets time pass until the work has ended. */
async function through<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  return over;
}

test('a shard waits for streams that time out, have no leader or no peers yet, and makes each one', async () => {
  const clock = new ManualClock();
  const { lines, log } = listening();
  const problems = [new errors.TimeoutError(), api(503, 10_008), api(400, 10_005), api(500, 10_047)];
  const made = new Set<string>();
  const streams = {
    async info(name: string) {
      if (!made.has(name)) throw notFound;
      return { config: { num_replicas: 3 } };
    },
    async add({ name }: { name: string }) {
      const problem = problems.shift();
      if (problem) throw problem;
      made.add(name);
    },
  };
  const manager = { streams } as unknown as JetStreamManager;
  await through(clock, ensureJournalStreams(manager, 4, 3, { clock, log }, nothingKnown));
  expect(made.size).toBe(4);
  expect(problems).toEqual([]);
  expect(lines).toContain('info: waiting to make the stream JOURNAL-0, trying again');
  expect(lines).toContain('info: done at last: make the stream JOURNAL-0');
});

test('the pauses grow to a bound, and the log warns now and then, without an end of the tries', async () => {
  const clock = new ManualClock();
  const { lines, log } = listening();
  const triedAt: number[] = [];
  const run = async () => {
    triedAt.push(clock.elapsed());
    if (triedAt.length < 30) throw new errors.TimeoutError();
    return 'done';
  };
  expect(await through(clock, whenReady({ clock, log }, 'make the stream', run))).toBe('done');
  const pauses = triedAt.slice(1).map((at, index) => at - triedAt[index]!);
  expect(pauses.slice(0, 6)).toEqual([100, 200, 400, 800, 1_600, 2_000]);
  expect(Math.max(...pauses)).toBe(2_000);
  expect(lines.filter((line) => line.startsWith('warn'))).toHaveLength(4);
});

test.each([
  ['a setting that is wrong', new SettingFault('start with 16 partitions')],
  ['a stream of another form', api(400, 10_058)],
  ['copies on a server alone', api(500, 10_074)],
  ['a bug', new TypeError('undefined')],
])('%s ends the start at once', async (_, problem) => {
  const run = () => Promise.reject(problem);
  await expect(whenReady({ clock: new ManualClock(), log: listening().log }, 'start', run)).rejects.toBe(problem);
});

test('the cause of a fault counts', () => {
  expect(natsIsNotReady(new Fault('keep the layout', new errors.TimeoutError()))).toBe(true);
  expect(natsIsNotReady(new Fault('keep the layout', new Error('no')))).toBe(false);
});
