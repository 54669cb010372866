import type { Beat } from '@parterre/shared/protocol/beat';
import { refuse } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { Readiness } from '../../../services/frontdoor/src/readiness.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function readiness() {
  const state = { linked: true, refusal: 'unauthorized' as 'unauthorized' | 'catalog_unavailable' };
  const clock = new ManualClock();
  const catalog = (async () => refuse(state.refusal, 'No.')) as unknown as CatalogClient;
  const lines: string[] = [];
  const tell = (_: object, line: string) => void lines.push(line);
  const log = Object.assign(createLog('test', 'silent'), { error: tell, info: tell });
  const front = new Readiness({ clock, log, catalog, linked: () => state.linked });
  const hear = (more: Partial<Beat> = {}) =>
    front.hear({ id: 'one', owns: [[0, 1]], regions: [], leaving: false, form: 2, store: 'ok', disk: 'ok', ...more });
  return { state, clock, front, hear, lines };
}

const healthy = { nats: 'ok', catalog: 'ok', store: 'ok', disk: 'ok' };

test('everything is ok while a shard that owns partitions can append', async () => {
  const { front, hear } = readiness();
  hear();
  hear({ id: 'two', owns: [], store: 'down' });
  expect(await front.look()).toEqual({ sellable: true, health: healthy, haltedEvents: 0 });
});

test('a lost catalog stops no sale of known events', async () => {
  const { state, front, hear } = readiness();
  hear();
  state.refusal = 'catalog_unavailable';
  expect(await front.look()).toMatchObject({ sellable: true, health: { ...healthy, catalog: 'down' } });
});

test('nothing can be sold once every shard is without its journal, and the fullest disk shows', async () => {
  const { front, hear } = readiness();
  hear({ store: 'down', disk: 'full' });
  hear({ id: 'two', store: 'ok', disk: 'low' });
  expect(await front.look()).toMatchObject({ sellable: true, health: { ...healthy, disk: 'full' } });
  hear({ id: 'two', store: 'down', disk: 'low' });
  expect(await front.look()).toMatchObject({ sellable: false, health: { ...healthy, store: 'down', disk: 'full' } });
});

test('nothing can be sold when no shard is heard, when none owns a partition, and without the link', async () => {
  const { state, clock, front, hear } = readiness();
  expect((await front.look()).sellable).toBe(false);
  hear();
  clock.advance(1_499);
  expect((await front.look()).sellable).toBe(true);
  clock.advance(1);
  expect((await front.look()).sellable).toBe(false);
  hear({ owns: [] });
  expect((await front.look()).sellable).toBe(false);
  hear();
  state.linked = false;
  expect(await front.look()).toMatchObject({ sellable: false, health: { nats: 'down', store: 'down' } });
});

test('halted events are counted over the shards, and nothing can be sold once every partition is halted', async () => {
  const { front, hear } = readiness();
  hear({ haltedEvents: 2, haltedPartitions: 1 });
  expect(await front.look()).toEqual({ sellable: false, health: healthy, haltedEvents: 2 });
  hear({
    id: 'two',
    owns: [
      [1, 1],
      [2, 1],
    ],
    haltedEvents: 3,
    haltedPartitions: 1,
  });
  expect(await front.look()).toEqual({ sellable: true, health: healthy, haltedEvents: 5 });
});

test('the log tells once that nothing can be sold and why, and that sales go on', () => {
  const { state, clock, front, hear, lines } = readiness();
  front.watch();
  const pass = (ms: number, beat: Partial<Beat> | null) => {
    for (let passed = 0; passed < ms; passed += 250) {
      if (beat) hear(beat);
      clock.advance(250);
    }
  };
  pass(5_000, {});
  expect(lines).toEqual([]);
  pass(20_000, null);
  pass(5_000, {});
  pass(5_000, { store: 'down' });
  pass(1_000, {});
  state.linked = false;
  pass(5_000, {});
  const goOn = 'sales go on';
  const why = ['no inventory-shard is heard', 'the journal takes no appends', 'the link to NATS is gone'];
  const [alone, down, unlinked] = why.map((cause) => `nothing can be sold: ${cause}`);
  expect(lines).toEqual([alone, goOn, down, goOn, unlinked]);
});

test('commands are hopeless after five seconds without a shard or 15 without its journal, until a beat comes', () => {
  const { clock, front, hear } = readiness();
  front.watch();
  const hopelessAfter = (beat: Partial<Beat> | null) => {
    for (let passed = 0; passed < 60_000; passed += 250) {
      if (beat) hear(beat);
      if (front.isHopeless()) return passed;
      clock.advance(250);
    }
    return null;
  };
  hear();
  expect(hopelessAfter(null)).toBeGreaterThanOrEqual(5_000);
  hear();
  expect(front.isHopeless()).toBe(false);
  clock.advance(1_000);
  expect(hopelessAfter({ store: 'down' })).toBeGreaterThan(14_000);
  hear();
  expect(front.isHopeless()).toBe(false);
  clock.advance(1_000);
  // The front door itself was stopped: one look follows, not the looks of all this time.
  clock.pass(600_000);
  clock.advance(500);
  expect(front.isHopeless()).toBe(false);
});

test('a front door whose own link comes back lets commands wait for the next beat', () => {
  const { state, clock, front, hear } = readiness();
  front.watch();
  hear();
  state.linked = false;
  clock.advance(60_000);
  expect(front.isHopeless()).toBe(true);
  state.linked = true;
  expect(front.isHopeless()).toBe(false);
  clock.advance(4_500);
  expect(front.isHopeless()).toBe(false);
  clock.advance(1_000);
  expect(front.isHopeless()).toBe(true);
});

test("the disk of a catalog's embedded store counts too", async () => {
  const { front, hear } = readiness();
  hear({ disk: 'filling' });
  expect(await front.look()).toMatchObject({ health: { disk: 'filling' } });
  front.hearCatalog('cat_1', { announced: 0, disk: 'low' });
  front.hearCatalog('cat_2', { announced: 0 });
  expect(await front.look()).toMatchObject({ health: { disk: 'low' } });
});
