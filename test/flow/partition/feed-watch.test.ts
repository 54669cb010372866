/** The changes of an event are published while front doors may watch it. */
import { feedWatchedMs } from '@parterre/shared/runtime/feed-watch';
import { expect, test } from 'vitest';
import { partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

async function setUp() {
  const fakes = await partitionOnFakes();
  await fakes.partition.open();
  await fakes.create();
  let holds = 0;
  /** The number of changes that this hold publishes. */
  const hold = async (): Promise<number> => {
    const before = fakes.changes.length;
    const holdId = `h${++holds}`;
    const reply = await fakes.ask({ type: 'hold', holdId, ttlMs: 3_600_000, selections: [{ label: `A-${holds}` }] });
    expect(reply?.kind).toBe('ok');
    return fakes.changes.length - before;
  };
  return { ...fakes, hold };
}

test('A new owner publishes every change for a while, then none that nobody asks for', async () => {
  const { clock, hold } = await setUp();
  clock.advance(feedWatchedMs - 1);
  expect(await hold()).toBe(1);
  clock.advance(1);
  expect(await hold()).toBe(0);
});

test.each(['view', 'count'] as const)('A %s makes the owner publish the changes again', async (type) => {
  const { clock, hold, ask, changes, stream } = await setUp();
  clock.advance(feedWatchedMs);
  expect(await hold()).toBe(0);
  const seen = (await ask({ type })) as { value?: { version: number } };
  expect(seen.value?.version).toBe(stream.length);
  expect(await hold()).toBe(1);
  expect(changes.at(-1)!.from).toBe(seen.value?.version);
  clock.advance(feedWatchedMs - 1);
  expect(await hold()).toBe(1);
});

test('The view has a change that was in flight, unpublished, when the front door asked', async () => {
  const { clock, send, ask, hold, changes, stream } = await setUp();
  clock.advance(feedWatchedMs);
  send({ type: 'hold', holdId: 'early', ttlMs: 3_600_000, selections: [{ label: 'B-1' }] });
  const before = stream.length;
  const view = (await ask({ type: 'view' })) as { value?: { version: number } };
  expect(view.value?.version).toBe(before + 1);
  expect(await hold()).toBe(1);
  expect(changes.at(-1)!.from).toBe(view.value?.version);
});

test('An event that is folded anew counts as watched', async () => {
  const { clock, hold, send, journal } = await setUp();
  clock.advance(feedWatchedMs);
  expect(await hold()).toBe(0);
  send({ type: 'hold', holdId: 'lost', ttlMs: 3_600_000, selections: [{ label: 'B-1' }] });
  journal.breakOff('silence');
  await settled();
  expect(await hold()).toBe(1);
});
