/** Workspaces and charts over HTTP. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
let token: string;

beforeAll(async () => {
  shop = await openShop();
  token = shop.token;
}, 120_000);
afterAll(() => shop?.stop());

const get = (path: string, headers: Record<string, string> = {}) => shop.call('GET', path, { token, headers });
const post = (path: string, body?: unknown, as = token) =>
  shop.call('POST', path, { token: as, ...(body ? { body } : {}) });
const patch = (path: string, body: unknown, as = token) => shop.call('PATCH', path, { token: as, body });

const rowOf = (seatCount: number, more: object = {}) => ({
  type: 'row',
  id: 'r1',
  label: 'A',
  origin: { x: 0, y: 0 },
  rotation: 0,
  curve: 0,
  seatSpacing: 20,
  seatCount,
  categoryKey: 'stalls',
  ...more,
});
const hall = (objects: Json[] = [rowOf(5)]) => ({
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [{ key: 'stalls', label: 'Stalls', color: '#336699', price: 20 }],
  objects,
});

describe('workspaces', () => {
  it('are created, read, changed and disabled', async () => {
    const made = await post('/v1/workspaces', { name: 'Festival', externalRef: 'f', defaultRegion: 'oceania' });
    expect(made.status).toBe(201);
    const { workspace } = made.body;
    expect(workspace).toEqual({
      id: expect.stringMatching(/^ws_/),
      name: 'Festival',
      status: 'active',
      isDefault: false,
      externalRef: 'f',
      defaultRegion: 'oceania',
    });
    const path = `/v1/workspaces/${workspace.id}`;
    expect((await get(path)).body).toEqual({ workspace });
    expect((await get('/v1/workspaces')).body.workspaces).toContainEqual(workspace);
    const changed = await patch(path, { name: 'Summer', status: 'disabled' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { workspace: { ...workspace, name: 'Summer', status: 'disabled' } },
    ]);
    const refused = await post('/v1/charts', { name: 'X', workspaceId: workspace.id });
    expect([refused.status, refused.body.code]).toEqual([422, 'workspace_not_found_or_disabled']);
  });

  it('always have an active default', async () => {
    const standard = (await get('/v1/workspaces')).body.workspaces.find(({ isDefault }: Json) => isDefault);
    const refused = await patch(`/v1/workspaces/${standard.id}`, { status: 'disabled' });
    expect([refused.status, refused.body.code]).toEqual([409, 'default_workspace_required']);
  });

  it('refuse invalid changes, and callers without the right', async () => {
    const { id } = (await get('/v1/workspaces')).body.workspaces[0];
    const path = `/v1/workspaces/${id}`;
    const statusOf = async (body: unknown) => (await patch(path, body)).body.code;
    expect(await statusOf({})).toBe('nothing_to_update');
    expect(await statusOf({ isDefault: false })).toBe('invalid_request');
    expect(await statusOf({ defaultRegion: 'atlantis' })).toBe('invalid_request');
    expect(await statusOf({ externalRef: 'x'.repeat(129) })).toBe('invalid_request');
    expect((await get('/v1/workspaces/ws_nobody')).status).toBe(404);
    const keyBody = { kind: 'secret', mode: 'test', workspaceId: id };
    const keyPath = `/v1/admin/organisations/${shop.own.id}/keys`;
    const bound = (await shop.call('POST', keyPath, { token: shop.rootToken, body: keyBody })).body.secret;
    expect((await post('/v1/workspaces', { name: 'New' }, bound)).status).toBe(403);
    expect((await patch(path, { name: 'New' }, bound)).body.code).toBe('forbidden');
    expect((await shop.call('GET', '/v1/workspaces', { token: bound })).body.workspaces).toHaveLength(1);
  });
});

describe('a chart', () => {
  it('is created, saved over the version that was read, published, and confirmed unchanged by its ETag', async () => {
    const made = await post('/v1/charts', { name: 'Hall', doc: { ...hall(), theme: { dark: true } } });
    expect(made.status).toBe(201);
    const { meta } = made.body;
    expect(meta).toMatchObject({ chartId: meta.id, status: 'draft', seatTotal: 5, publishedVersion: null });
    const path = `/v1/charts/${meta.id}`;

    const first = await get(path);
    expect(first.body).toEqual({ meta, doc: { ...hall(), theme: { dark: true } }, categorySeats: { stalls: 5 } });
    const etag = first.headers.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { 'If-None-Match': known });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
    }

    const put = (body: unknown) => shop.call('PUT', path, { token, body });
    expect((await put({ doc: hall() })).status).toBe(422);
    const saved = await put({ doc: hall([rowOf(7)]), expectedUpdatedAt: meta.updatedAt });
    expect([saved.status, saved.body.meta.seatTotal]).toEqual([200, 7]);
    const stale = await put({ doc: hall(), expectedUpdatedAt: meta.updatedAt });
    expect([stale.status, stale.body.code, stale.body.updatedAt]).toEqual([409, 'conflict', saved.body.meta.updatedAt]);
    expect((await get(path, { 'If-None-Match': etag })).body.categorySeats).toEqual({ stalls: 7 });
    expect((await put({ name: 'Great hall', externalRef: null })).body.meta.name).toBe('Great hall');

    const published = await post(`${path}/publish`);
    expect([published.status, published.body]).toMatchObject([
      200,
      { meta: { status: 'published', publishedVersion: 1 }, events: { refreshed: [], needsUpdate: [] } },
    ]);
  });

  it('is saved with a curve of 0 in every row that has none, on every floor', async () => {
    const { curve: _, ...straight } = rowOf(5);
    const upper = { ...straight, id: 'r2', label: 'B' };
    const floors = [
      { id: 'f1', name: 'Ground', objects: [straight], focalPoint: { x: 0, y: 0 } },
      { id: 'f2', name: 'Upper', objects: [upper], focalPoint: { x: 0, y: 0 } },
    ];
    const doc = { ...hall([straight]), floors };
    const { meta } = (await post('/v1/charts', { name: 'Straight', doc })).body;
    const saved = (await get(`/v1/charts/${meta.id}`)).body.doc;
    const drawn = [saved.objects, ...saved.floors.map(({ objects }: Json) => objects)].flat();
    expect(drawn.map(({ curve }: Json) => curve)).toEqual([0, 0, 0]);
    const bent = { ...hall([rowOf(5, { curve: 30 })]) };
    const put = { doc: bent, expectedUpdatedAt: meta.updatedAt };
    await shop.call('PUT', `/v1/charts/${meta.id}`, { token, body: put });
    expect((await get(`/v1/charts/${meta.id}`)).body.doc).toEqual(bent);
  });

  it('that cannot be sold is refused with all its issues at once', async () => {
    const objects = [rowOf(5), rowOf(5, { id: 'r2', label: 'B', categoryKey: 'gone' }), rowOf(2, { id: 'r3' })];
    const { meta } = (await post('/v1/charts', { name: 'Broken', doc: hall(objects) })).body;
    const refused = await post(`/v1/charts/${meta.id}/publish`);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_chart']);
    expect(refused.body.issues.map(({ path }: Json) => path)).toEqual(['objects.r2.categoryKey', 'objects.r3.label']);
  });

  it('with an infinite number is stored and returned as a draft, and refused when published', async () => {
    const body = JSON.stringify({ name: 'Endless', doc: hall([rowOf(5, { origin: { x: 0, y: -12345 } })]) });
    const made = await post('/v1/charts', body.replace('-12345', '-1e999'));
    expect(made.status).toBe(201);
    const path = `/v1/charts/${made.body.meta.id}`;
    expect((await get(path)).body.doc.objects[0].origin).toEqual({ x: 0, y: Number.NEGATIVE_INFINITY });
    const refused = await post(`${path}/publish`);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_chart']);
    expect(refused.body.issues[0]).toMatchObject({ path: 'objects.r1.origin.y', objectId: 'r1' });
  });

  it('that nests too deep is refused', async () => {
    const deep = `{"name":"X","doc":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const refused = await post('/v1/charts', deep);
    expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([422, 'doc']);
  });

  it('with missing parts is refused when saved, and so is a chart that is too large', async () => {
    const broken = await post('/v1/charts', { name: 'X', doc: { version: 1, name: 'X' } });
    expect([broken.status, broken.body.code]).toEqual([422, 'invalid_request']);
    expect(broken.body.issues.length).toBeGreaterThan(2);
    const large = await post('/v1/charts', { name: 'X', doc: { ...hall(), padding: 'x'.repeat(16 * 1024 * 1024) } });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('that hardly compresses is returned unchanged', async () => {
    const picture = randomBytes(11 * 1024 * 1024).toString('base64');
    const made = await post('/v1/charts', { name: 'Picture', doc: { ...hall(), backgroundImage: { picture } } });
    expect(made.status).toBe(201);
    const { doc } = (await get(`/v1/charts/${made.body.meta.id}`)).body;
    expect(doc.backgroundImage.picture === picture).toBe(true);
  });

  it('is archived, listed apart, restored and deleted', async () => {
    const externalRef = 'archive-test';
    const { meta } = (await post('/v1/charts', { name: 'Old', doc: hall(), externalRef })).body;
    const path = `/v1/charts/${meta.id}`;
    const listed = async (query = '') =>
      (await get(`/v1/charts?externalRef=${externalRef}${query}`)).body.charts.map(({ id }: Json) => id);
    expect((await post(`${path}/archive`)).body.meta.status).toBe('archived');
    expect([await listed(), await listed('&archived=1')]).toEqual([[], [meta.id]]);
    expect((await post(`${path}/unarchive`)).body.meta.status).toBe('draft');
    expect(await listed()).toEqual([meta.id]);
    const removed = await shop.call('DELETE', path, { token });
    expect([removed.status, removed.body]).toEqual([200, { ok: true }]);
    expect([(await get(path)).status, (await get(path)).body.code]).toEqual([404, 'chart_not_found']);
  });

  it('that an event uses cannot be deleted', async () => {
    const { meta } = (await post('/v1/charts', { name: 'Used', doc: hall() })).body;
    await post(`/v1/charts/${meta.id}/publish`);
    await post('/v1/events', { chartId: meta.id });
    const refused = await shop.call('DELETE', `/v1/charts/${meta.id}`, { token });
    expect([refused.status, refused.body.code]).toEqual([409, 'chart_in_use']);
  });
});

it('A chart accepts ten panorama manifests a day, and refuses a manifest with unknown ids', async () => {
  const { meta } = (await post('/v1/charts', { name: 'Views', doc: hall() })).body;
  const path = `/v1/charts/${meta.id}/panorama-manifests`;
  const view = { id: 'v1', url: 'https://pictures.example/1.jpg' };
  const made = await post(path, { panoramas: [{ ...view, rowId: 'r1' }] });
  expect([made.status, made.body.manifest]).toMatchObject([201, { chartId: meta.id, version: 1 }]);
  const unknown = await post(path, { panoramas: [view, { ...view, id: 'v2', seatIds: ['r1:9'] }] });
  expect([unknown.status, unknown.body.issues]).toMatchObject([422, [{ path: 'panoramas.1.seatIds.0' }]]);
  const issuesOf = async (panorama: object) =>
    (await post(path, { panoramas: [panorama] })).body.issues.map(({ path: at }: Json) => at);
  expect(await issuesOf({ ...view, url: 'http://pictures.example/1.jpg' })).toEqual(['panoramas.0.url']);
  expect(await issuesOf({ ...view, rowId: 'r1', sectionId: 's1' })).toEqual(['panoramas.0']);
  for (let i = 4; i < 10; i++) expect((await post(path, { panoramas: [view] })).body.manifest.version).toBe(i - 2);
  const refused = await post(path, { panoramas: [view] });
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
  expect(refused.headers.get('ratelimit-limit')).toBeNull();
});
