/** Hidden, closed and timed sections: consoles set them, buyers see the result. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
let chartId: string;

const section = (id: string, y: number) => ({
  type: 'section',
  id,
  label: id,
  outline: [
    { x: -10, y: y - 5 },
    { x: 400, y: y - 5 },
    { x: 400, y: y + 5 },
    { x: -10, y: y + 5 },
  ],
});

beforeAll(async () => {
  shop = await openShop();
  const [stalls, balcony] = shop.hall.categories;
  const tiers = [
    ...balcony!.tiers!,
    { id: 'aisle', name: 'Aisle', price: 20, applicability: { seatLabels: ['A-1', 'B-20'] } },
    { id: 'house', name: 'House', price: 0, applicability: { seatLabels: ['B-1'] } },
  ];
  const categories = [stalls, { ...balcony, tiers }];
  const doc = { ...shop.hall, categories, objects: [...shop.hall.objects, section('front', 0), section('back', 20)] };
  const { token } = shop;
  const made = await shop.call('POST', '/v1/charts', { token, body: { name: 'Sections', doc } });
  chartId = made.body.meta.id;
  await shop.call('POST', `/v1/charts/${chartId}/publish`, { token });
}, 120_000);
afterAll(() => shop?.stop());

async function openEvent() {
  const { token } = shop;
  const { meta } = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body;
  const path = `/v1/events/${meta.key}`;
  return {
    key: meta.key as string,
    post: (action: string, body: unknown) => shop.call('POST', `${path}/${action}`, { token, body }),
    patch: (body: unknown) => shop.call('PATCH', path, { token, body }),
    get: (what: string) => shop.call('GET', `${path}/${what}`, { token }),
    pub: (what: string, headers: Record<string, string> = {}) => shop.buyer('GET', `${meta.key}/${what}`, { headers }),
    async watch() {
      const { protocols } = (await shop.buyer('POST', `${meta.key}/subscribe-tickets`, { body: {} })).body;
      return new Watcher(`${shop.url}/pub/events/${meta.key}/subscribe`, protocols);
    },
  };
}

describe('a hidden section', () => {
  it("is absent from buyers' answers, and present in servers' answers", async () => {
    const event = await openEvent();
    const before = await event.pub('chart');
    await event.post('book', { labels: ['B-2'], bookingRef: 'order-1' });
    const set = await event.post('availability', {
      rules: { back: { mode: 'hidden', labels: ['B-1'] }, __ungrouped__: { mode: 'closed' } },
    });
    expect(set).toMatchObject({ status: 200, body: { hidden: ['back'], closed: ['__ungrouped__'], version: 1 } });
    expect((await event.get('availability')).body).toEqual(set.body);

    const etag = before.headers.get('etag')!;
    const after = await event.pub('chart', { 'If-None-Match': etag });
    expect(after.status).toBe(200);
    expect(after.body.doc.objects.map(({ id }: { id: string }) => id)).toEqual(['r1', 'floor', 'front']);
    const { body: seen } = await event.pub('objects');
    expect(seen).toMatchObject({
      default: 'not_for_sale',
      hidden: ['back'],
      closed: ['__ungrouped__'],
      ga: { floor: { free: 0 } },
    });
    expect(Object.keys(seen.seats).sort()).toEqual(Array.from({ length: 20 }, (_, i) => `A-${i + 1}`).sort());
    expect([...new Set(Object.values(seen.seats))]).toEqual(['free']);
    const { body: compact } = await event.pub('objects?compact=1');
    expect([compact.default, compact.seats]).toEqual(['not_for_sale', seen.seats]);
    const held = await shop.buyer('POST', `${event.key}/hold`, { body: { labels: ['B-1'] } });
    expect([held.status, held.body.code, held.body.conflicts]).toEqual([
      409,
      'conflict',
      [{ label: 'B-1', name: 'B-1', status: 'not_for_sale' }],
    ]);
    expect((await event.get('objects')).body).toMatchObject({
      seats: { 'B-2': 'booked' },
      hidden: ['back'],
      closed: ['__ungrouped__'],
    });
    expect((await event.get('chart')).body.doc.objects).toHaveLength(5);
  });

  it('leaks no label through event adjustments or tier prices', async () => {
    const event = await openEvent();
    const doc = (await event.pub('chart')).body.doc;
    expect(JSON.stringify(doc)).toContain('B-20');
    const assigned = await event.post('category-assignments', { labels: ['A-1', 'B-7'], categoryKey: 'balcony' });
    expect(assigned.status).toBe(200);
    const changed = (await event.pub('chart')).body.doc;
    expect(changed.objects[0].overrides).toEqual([{ index: 0, categoryKey: 'balcony' }]);
    expect(changed).not.toHaveProperty('eventAdjustments');
    const hidden = await event.post('availability', { rules: { back: { mode: 'hidden' } } });
    expect(hidden).toMatchObject({ status: 200, body: { hidden: ['back'] } });
    const seen = (await event.pub('chart')).body.doc;
    expect(seen).not.toHaveProperty('eventAdjustments');
    expect(JSON.stringify(seen)).not.toMatch(/B-\d/);
    const balcony = seen.categories.find(({ key }: { key: string }) => key === 'balcony');
    expect(balcony.tiers).toEqual([
      { id: 'adult', name: 'Adult', price: 30 },
      { id: 'child', name: 'Child', price: 15 },
      { id: 'aisle', name: 'Aisle', price: 20, applicability: { seatLabels: ['A-1'] } },
    ]);
    expect((await event.get('chart')).body.doc).toHaveProperty('eventAdjustments');
  });

  it('can be held by a server that names its labels, which the log notes, and best-available never picks from it', async () => {
    const event = await openEvent();
    await event.post('availability', { rules: { front: { mode: 'hidden' }, __ungrouped__: { mode: 'hidden' } } });
    expect((await event.post('hold', { labels: ['A-1'] })).status).toBe(200);
    const [newest] = (await event.get('log')).body.entries;
    expect(newest).toMatchObject({ action: 'hold', labels: ['A-1'], passed: ['front'] });
    const { body: best } = await event.post('best-available', { qty: 2 });
    expect(best.labels.every((label: string) => label.startsWith('B-'))).toBe(true);
  });
});

describe('a viewer', () => {
  it('hears of a rule at once, and gets a new snapshot of its view', async () => {
    const event = await openEvent();
    const watcher = await event.watch();
    expect(await watcher.next()).toMatchObject({ type: 'snapshot', hidden: [], closed: [] });
    await event.post('availability', { rules: { back: { mode: 'closed' } } });
    expect(await watcher.next()).toEqual({ type: 'hidden', protocol: 1, hidden: [], closed: ['back'] });
    expect(await watcher.next()).toMatchObject({
      type: 'snapshot',
      closed: ['back'],
      seats: { 'B-1': 'not_for_sale', 'B-20': 'not_for_sale' },
    });
    await event.patch({ sectionStates: { front: 'hidden' } });
    expect(await watcher.next()).toMatchObject({ type: 'hidden', hidden: ['front'], closed: ['back'] });
    const all = await watcher.next();
    expect(all).toMatchObject({ type: 'snapshot', default: 'not_for_sale', hidden: ['front'] });
    expect(Object.keys(all.seats)).not.toContain('A-1');
    watcher.close();
  });

  it('sees a timed section open without a request', async () => {
    const event = await openEvent();
    const watcher = await event.watch();
    await watcher.next();
    const revealAt = Date.now() + 1_500;
    await event.post('availability', { rules: { back: { mode: 'timed', revealAt } } });
    expect(await watcher.next()).toMatchObject({ type: 'hidden', hidden: ['back'] });
    await watcher.next();
    expect(await watcher.next()).toMatchObject({ type: 'hidden', hidden: [] });
    expect(Date.now()).toBeGreaterThanOrEqual(revealAt);
    expect(await watcher.next()).toMatchObject({ type: 'snapshot', hidden: [] });
    expect((await event.get('availability')).body.rules.back.revealedAt).toBeGreaterThanOrEqual(revealAt);
    watcher.close();
  });
});

describe('setting rules', () => {
  it.each([
    [{ rules: { attic: { mode: 'hidden' } } }, 'rules.attic'],
    [JSON.parse('{"rules":{"__proto__":{"mode":"hidden"}}}'), 'rules.__proto__'],
    [{ rules: { back: { mode: 'timed' } } }, 'rules.back.revealAt'],
    [{ rules: { back: { mode: 'threshold', thresholdPct: 101 } } }, 'rules.back.thresholdPct'],
    [{ rules: { back: { mode: 'shut' } } }, 'rules.back.mode'],
  ])('with %j is refused, and the answer names the field', async (body, path) => {
    const event = await openEvent();
    const refused = await event.post('availability', body);
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_request', issues: [{ path }] } });
  });

  it('with an outdated version is refused with the current version', async () => {
    const event = await openEvent();
    await event.post('availability', { rules: {}, version: 0 });
    const refused = await event.post('availability', { rules: {}, version: 0 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', version: 1 } });
  });
});
