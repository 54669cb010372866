import type { EventChanges } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { projections } from '../../../services/catalog/src/store/collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let chartId: string;
const eventKey = 'gala';

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  chartId = await publishedChart(catalog, scope);
  await catalog.ask('events.create', { scope, draft: { chartId, slug: eventKey, startsAt: 1_000 } });
});
afterEach(() => database.remove());

const update = async (changes: EventChanges, as = scope) =>
  (await catalog.ask('events.update', { scope: as, eventKey, changes })).event;
const refusal = (changes: EventChanges, as = scope) =>
  catalog.refusal('events.update', { scope: as, eventKey, changes });
const settle = async (at: number, facts: object) => (await catalog.ask('events.settle', { eventKey, at, facts })).event;
const read = async () => (await catalog.ask('events.get', { eventKey })).event;
const empty = { sold: 0, seq: 1, at: 0, status: null, holdTtlMs: null };

describe('a change', () => {
  test('sets what it names, leaves the rest, and clears what is null', async () => {
    const all = {
      name: 'Ball',
      startsAt: 5,
      endsAt: 6,
      venue: 'Hall',
      externalRef: 'e-1',
      description: 'A ball.',
      timezone: 'Europe/Zurich',
      locale: 'de-CH',
    };
    expect(await update(all)).toMatchObject(all);
    expect(await update({ venue: 'Court' })).toMatchObject({ ...all, venue: 'Court' });
    const { name: _, ...clearable } = all;
    const cleared = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]));
    expect(await update(cleared)).toMatchObject({ ...cleared, name: 'Ball' });
    expect(catalog.announced.at(-1)).toEqual({ kind: 'event', eventKey });
  });

  test("shows an actor's answer with it", async () => {
    const settled = { at: 7, facts: { currency: 'CHF' } };
    const { event } = await catalog.ask('events.update', { scope, eventKey, changes: { venue: 'Court' }, settled });
    expect(event).toMatchObject({ currency: 'CHF', venue: 'Court' });
  });

  test('moves the event between lists', async () => {
    await update({ externalRef: 'e-1' });
    const listed = async (externalRef: string) =>
      (await catalog.ask('events.list', { scope, page: {}, externalRef })).events.length;
    expect([await listed('e-1'), await listed('e-2')]).toEqual([1, 0]);
    await update({ externalRef: 'e-2' });
    expect([await listed('e-1'), await listed('e-2')]).toEqual([0, 1]);
  });

  test('compares the end with the new start', async () => {
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'endsAt' }] } };
    expect(await refusal({ endsAt: 999 })).toMatchObject(refused);
    expect(await update({ endsAt: 999, startsAt: 998 })).toMatchObject({ startsAt: 998, endsAt: 999 });
    expect(await refusal({ startsAt: 1_000 })).toMatchObject(refused);
    expect(await update({ startsAt: 1_000, endsAt: null })).toMatchObject({ startsAt: 1_000, endsAt: null });
  });

  test('gives a later updatedAt each time, even where the clock stands', async () => {
    const before = (await read()).updatedAt;
    const first = (await update({ name: 'One' })).updatedAt;
    catalog.clock.time -= 60_000;
    const second = (await update({ name: 'One' })).updatedAt;
    const third = (await settle(4, { status: 'closed' })).updatedAt;
    expect([first > before, second > first, third > second]).toEqual([true, true, true]);
  });

  test('as a dry run changes nothing', async () => {
    const before = await read();
    const asked = { scope, eventKey, changes: { name: 'Other' }, dryRun: true } as const;
    const { event, ...beside } = await catalog.ask('events.update', asked);
    expect(event.name).toBe('Other');
    expect(beside).toEqual({
      latest: { planHash: before.planHash, chartVersion: 1 },
      organisation: { currency: 'EUR', credits: 0 },
    });
    expect(await read()).toEqual(before);
    const late = { scope, eventKey, changes: { endsAt: 1 }, dryRun: true } as const;
    expect(await catalog.refusal('events.update', late)).toMatchObject({ code: 'invalid_request' });
  });

  test('needs the event within the scope', async () => {
    const changes = { name: 'Mine' };
    const others = await organisationScope(catalog);
    expect(await refusal(changes, others)).toMatchObject({ code: 'not_found' });
    expect(await refusal(changes, { ...scope, workspaceId: 'ws_other' })).toMatchObject({ code: 'not_found' });
    expect(await refusal(changes, { ...scope, mode: 'live' })).toMatchObject({ code: 'mode_mismatch' });
    expect(await update(changes, { ...scope, mode: null, role: 'member' })).toMatchObject(changes);
    const nobody = { scope, eventKey: 'nobody', changes };
    expect(await catalog.refusal('events.update', nobody)).toMatchObject({ code: 'not_found' });
  });

  test('of an archived event is refused with its status, of a deleted one as unknown', async () => {
    await catalog.store.insert(projections, eventKey, { ...empty, at: 3, status: 'archived' });
    expect(await refusal({ name: 'x' })).toMatchObject({
      code: 'invalid_event_state',
      details: { status: 'archived' },
    });
    await settle(4, { status: 'deleted' });
    expect(await refusal({ name: 'x' })).toMatchObject({ code: 'not_found' });
  });
});

describe("an actor's answer", () => {
  test('is shown before the journal is projected, and until a later group is', async () => {
    await catalog.store.insert(projections, eventKey, { ...empty, sold: 2, at: 3, status: 'active' });
    expect(await settle(4, { status: 'closed' })).toMatchObject({ status: 'closed', sold: 2 });
    const found = (await catalog.store.get(projections, eventKey))!;
    await catalog.store.replace(projections, eventKey, 1, { ...found.value, at: 5, status: 'active' });
    expect(await read()).toMatchObject({ status: 'active' });
  });

  test('about one fact does not bring back another that the journal has overtaken', async () => {
    await settle(4, { status: 'closed', salesPaused: true });
    await catalog.store.insert(projections, eventKey, { ...empty, at: 5, status: 'active', salesPaused: false });
    expect(await settle(6, { currency: 'CHF' })).toMatchObject({
      status: 'active',
      salesPaused: false,
      currency: 'CHF',
    });
  });

  test('changes nothing when it comes again', async () => {
    const { updatedAt } = await settle(4, { status: 'closed' });
    catalog.clock.time += 1_000;
    expect((await settle(4, { status: 'closed' })).updatedAt).toBe(updatedAt);
  });

  test('counts by its time in the journal, not by its arrival', async () => {
    await settle(6, { status: 'archived' });
    expect(await settle(5, { status: 'closed' })).toMatchObject({ status: 'archived' });
    expect(await settle(7, { planHash: 'next', chartVersion: 2, seatTotal: 7 })).toMatchObject({
      status: 'archived',
      planHash: 'next',
      chartVersion: 2,
      seatTotal: 7,
    });
  });
});

describe('a deleted event', () => {
  test('leaves the lists and frees its slug, but not its key', async () => {
    await settle(3, { status: 'deleted' });
    expect(await catalog.ask('events.list', { scope, page: {} })).toEqual({ events: [] });
    const again = await catalog.ask('events.create', { scope, draft: { chartId, slug: eventKey } });
    expect(again.event).toMatchObject({ slug: eventKey, key: 'gala-2' });
  });

  test('that only the journal knows as deleted frees its slug too', async () => {
    await catalog.store.insert(projections, eventKey, { ...empty, at: 3, status: 'deleted' });
    expect(await catalog.ask('events.list', { scope, page: {} })).toEqual({ events: [] });
    const again = await catalog.ask('events.create', { scope, draft: { chartId, slug: eventKey } });
    expect(again.event.key).toBe('gala-2');
    expect(await catalog.refusal('events.create', { scope, draft: { chartId, slug: eventKey } })).toMatchObject({
      code: 'event_exists',
    });
  });

  test("does not stop a chart's deletion", async () => {
    expect(await catalog.refusal('charts.delete', { scope, chartId })).toMatchObject({ code: 'chart_in_use' });
    await settle(3, { status: 'deleted' });
    expect(await catalog.ask('charts.delete', { scope, chartId })).toEqual({ ok: true });
  });
});

describe('posters', () => {
  const image = (text: string) => ({ bytes: Buffer.from(text), contentType: 'image/webp' }) as const;
  const set = async (poster: ReturnType<typeof image> | null) =>
    (await catalog.ask('events.set-poster', { scope, eventKey, image: poster })).event.posterAssetId;

  const bytesOf = async (assetId: string | null) => {
    const found = await catalog.operations['assets.get']({ assetId: assetId! });
    return found.ok ? Buffer.from(found.value.bytes).toString() : found.refusal.code;
  };

  test('are stored by their content, while an event shows them', async () => {
    const first = await set(image('one'));
    expect(first).toMatch(/^ast_[0-9A-Za-z]{22}$/);
    expect(await set(image('one'))).toBe(first);
    expect(await bytesOf(first)).toBe('one');
    const blobs = vi.spyOn(catalog.store, 'deleteBlob');
    const second = await set(image('two'));
    expect(second).not.toBe(first);
    expect([await bytesOf(first), await bytesOf(second)]).toEqual(['not_found', 'two']);
    expect(blobs).toHaveBeenCalledTimes(1);
    expect(await set(image('one'))).toBe(first);
    expect(await bytesOf(first)).toBe('one');
    expect(await set(null)).toBeNull();
    expect(await bytesOf(first)).toBe('not_found');
  });

  test('that another event shows stay with it, and go with the last event', async () => {
    const posterAssetId = (await set(image('one')))!;
    const other = await catalog.ask('events.create', { scope, draft: { chartId, posterAssetId } });
    await set(null);
    expect(await bytesOf(posterAssetId)).toBe('one');
    await catalog.ask('events.settle', { eventKey: other.event.key, at: 3, facts: { status: 'deleted' } });
    expect(await bytesOf(posterAssetId)).toBe('not_found');
    const late = { scope, draft: { chartId, posterAssetId } };
    expect(await catalog.refusal('events.create', late)).toMatchObject({ code: 'invalid_request' });
  });

  test('that are removed while another event is made with them are kept, or that event is refused', async () => {
    const { store } = catalog;
    for (const name of ['insert', 'replace', 'delete'] as const) {
      const posterAssetId = (await set(image(name)))!;
      const removed: Promise<unknown>[] = [];
      const real = store[name].bind(store) as (...args: unknown[]) => Promise<never>;
      const create = () => catalog.operations['events.create']({ scope, draft: { chartId, posterAssetId } });
      const spy = vi.spyOn(store, name).mockImplementationOnce(async (...args: unknown[]) => {
        removed.push(name === 'insert' ? set(null) : create());
        if (name !== 'insert') await removed[0];
        return real(...args);
      });
      const first = name === 'insert' ? await create() : await set(null);
      const [second] = await Promise.all(removed);
      spy.mockRestore();
      const made = (name === 'insert' ? first : second) as Awaited<ReturnType<typeof create>>;
      expect(await bytesOf(posterAssetId)).toBe(made.ok ? name : 'not_found');
    }
  });

  test('of an archived event stay as they are', async () => {
    await set(image('one'));
    await settle(3, { status: 'archived' });
    const changed = { scope, eventKey, image: null };
    expect(await catalog.refusal('events.set-poster', changed)).toMatchObject({ code: 'invalid_event_state' });
  });
});
