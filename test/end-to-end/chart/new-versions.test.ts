/** The effect of a new chart version on the chart's events. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rectangle } from '../../support/charts.ts';
import type { Json } from '../../support/openapi.ts';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const call = (method: string, path: string, body?: unknown) =>
  shop.call(method, path, { token: shop.token, ...(body === undefined ? {} : { body }) });

describe('a new chart version', () => {
  /** A new chart, published with rows A, B and the floor. `republish` publishes a version with these objects. */
  async function chart() {
    const { meta } = (await call('POST', '/v1/charts', { name: 'Hall', doc: shop.hall })).body;
    const path = `/v1/charts/${meta.id}`;
    await call('POST', `${path}/publish`);
    const create = async (more: object = {}) => {
      const { key } = (await call('POST', '/v1/events', { chartId: meta.id, ...more })).body.meta;
      const post = (action: string, body?: unknown) => call('POST', `/v1/events/${key}/${action}`, body);
      return { key: key as string, post, get: async () => (await call('GET', `/v1/events/${key}`)).body };
    };
    const save = async (objects: object[]) => {
      const { updatedAt } = (await call('GET', path)).body.meta;
      await call('PUT', path, { doc: { ...shop.hall, objects }, expectedUpdatedAt: updatedAt });
    };
    const republish = async (objects: object[]) => {
      await save(objects);
      return (await call('POST', `${path}/publish`)).body.events;
    };
    return { id: meta.id as string, path, create, save, republish };
  }
  const [rowA, rowB, floor] = ['r1', 'r2', 'floor'].map((id) => shopObject(id));
  function shopObject(id: string): () => object {
    return () => shop.hall.objects.find((object) => object.id === id)!;
  }

  it('is taken over by idle events, and listed for events in use', async () => {
    const { create, republish } = await chart();
    const idle = await create();
    const held = await create();
    const blocked = await create();
    const closed = await create();
    const archived = await create();
    await held.post('hold', { labels: ['A-1'] });
    await blocked.post('block', { labels: ['B-1'] });
    await closed.post('close');
    await archived.post('archive');
    const events = await republish([rowA!(), rowB!()]);
    expect(events.refreshed.sort()).toEqual([closed.key, idle.key].sort());
    expect(events.needsUpdate.sort()).toEqual([blocked.key, held.key].sort());
    expect(await idle.get()).toMatchObject({
      meta: { seatTotal: 40 },
      counts: { free: 40 },
      chartUpdate: { behind: false, canAutoUpdate: false },
    });
    expect(await held.get()).toMatchObject({
      meta: { seatTotal: 70 },
      chartUpdate: { behind: true, canAutoUpdate: false },
    });
    expect((await archived.get()).chartUpdate).toEqual({ behind: true, canAutoUpdate: false });

    const updated = await held.post('update-chart');
    expect(updated.body).toMatchObject({ ok: true, updated: true, meta: { key: held.key, seatTotal: 40 } });
    expect(await held.get()).toMatchObject({ counts: { held: 1, free: 39 }, chartUpdate: { behind: false } });
    const again = await held.post('update-chart');
    expect(again.body).toEqual({ ...updated.body, updated: false });
    expect((await held.get()).meta.updatedAt).toBe(updated.body.meta.updatedAt);
    expect((await archived.post('update-chart')).body).toMatchObject({
      code: 'invalid_event_state',
      status: 'archived',
    });
    const listed = (await call('GET', '/v1/events?counts=0&limit=200')).body.events;
    expect(listed.find((each: Json) => each.key === held.key).seatTotal).toBe(40);
  });

  it('is not taken over by an event that hides a section which the version lacks', async () => {
    const { create, republish } = await chart();
    const front = { type: 'section', id: 'front', label: 'Front', outline: rectangle(-10, -10, 500, 20) };
    await republish([rowA!(), rowB!(), floor!(), front]);
    const event = await create({ sectionStates: { front: 'hidden' } });
    expect(await republish([rowA!(), floor!()])).toEqual({ refreshed: [], needsUpdate: [event.key] });
    expect((await event.get()).chartUpdate).toEqual({ behind: true, canAutoUpdate: false });
    await event.post('block', { labels: ['B-1'] });
    expect((await event.post('update-chart')).body).toMatchObject({ updated: true, droppedScopes: ['front'] });
    const [entry] = (await call('GET', `/v1/events/${event.key}/log`)).body.entries;
    expect(entry).toMatchObject({
      action: 'update_chart',
      labels: [],
      details: { droppedScopes: ['front'], unblocked: ['B-1'] },
    });
    expect((await event.post('update-chart')).body).not.toHaveProperty('droppedScopes');
  });

  it('is not taken over by an event with sold seats that the version lacks', async () => {
    const { create, republish } = await chart();
    const sold = await create();
    await sold.post('book', { labels: ['B-1', 'A-1'], bookingRef: 'o-1' });
    await republish([rowA!(), floor!()]);
    const refused = await sold.post('update-chart', { acknowledgeDroppedAssignments: true, reason: 'new' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'seats_would_vanish', missingLabels: ['B-1'] });
    expect((await sold.get()).chartUpdate).toEqual({ behind: true, canAutoUpdate: false });
    await sold.post('unbook', { bookingRef: 'o-1' });
    expect((await sold.get()).chartUpdate).toEqual({ behind: true, canAutoUpdate: true });
    expect((await sold.post('update-chart')).body).toMatchObject({ updated: true, meta: { seatTotal: 50 } });
  });

  it("is taken over by events of the key's mode, or of both modes for a dashboard session", async () => {
    const { id: chartId, path, save } = await chart();
    const made = async (token: string): Promise<string> =>
      (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body.meta.key;
    const live: string = shop.own.live.secret;
    const keys = { test: await made(shop.token), live: await made(live) };
    const behind = async (mode: 'test' | 'live') => {
      const token = mode === 'test' ? shop.token : live;
      return (await shop.call('GET', `/v1/events/${keys[mode]}`, { token })).body.chartUpdate.behind;
    };
    const publish = async (options: Parameters<Shop['call']>[2]) =>
      (await shop.call('POST', `${path}/publish`, options)).body.events;

    await save([rowA!()]);
    expect(await publish({ token: shop.token })).toEqual({ refreshed: [keys.test], needsUpdate: [] });
    expect([await behind('test'), await behind('live')]).toEqual([false, true]);
    // Until the catalog has read the change of the event's actor, it updates the event again.
    await expect.poll(() => publish({ token: shop.token })).toEqual({ refreshed: [], needsUpdate: [] });
    expect(await publish({ token: live })).toEqual({ refreshed: [keys.live], needsUpdate: [] });
    expect(await behind('live')).toBe(false);

    await save([rowA!(), rowB!()]);
    const session = await shop.logIn(await shop.user());
    const { refreshed } = await publish({ headers: session.write });
    expect(refreshed.sort()).toEqual([keys.test, keys.live].sort());
  });
});
