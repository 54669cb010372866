import type { Beat } from '@parterre/shared/protocol/beat';
import { refuse } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { expect, test } from 'vitest';
import { Readiness } from '../../../services/frontdoor/src/readiness.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function readiness() {
  const state = { linked: true, refusal: 'unauthorized' as 'unauthorized' | 'catalog_unavailable' };
  const clock = new ManualClock();
  const catalog = (async () => refuse(state.refusal, 'No.')) as unknown as CatalogClient;
  const front = new Readiness({ clock, catalog, linked: () => state.linked });
  const hear = (more: Partial<Beat> = {}) =>
    front.hear({ id: 'one', owns: [[0, 1]], regions: [], leaving: false, form: 2, store: 'ok', disk: 'ok', ...more });
  return { state, clock, front, hear };
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
