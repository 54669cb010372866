/** Visitors of the demo draw and sell without an account, within bounds, and reach nothing else. */
import { templates } from '@parterre/shared/charts/templates/templates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '../../../scripts/launch/api.ts';
import { demoKeysFile, readJson } from '../../../scripts/launch/data-folder.ts';
import { forgetOnce } from '../../../scripts/launch/drawings.ts';
import { environments, type Parterre, sharedParterre } from '../../support/servers/server.ts';

const HOUR_MS = 3_600_000;

// biome-ignore lint/suspicious/noExplicitAny: tests read answers without types, as clients do.
type Json = any;
type Answer = { status: number; body: Json };
type Draft = { chartId: string; token: string; designerUrl: string };

async function ask(url: string, method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      Origin: url,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

describe('a demo on this machine', () => {
  let parterre: Parterre;

  beforeAll(async () => {
    // With the budgets of an installation: a flood is counted.
    parterre = await sharedParterre({});
  }, 120_000);
  afterAll(() => parterre?.stop());

  const call = (method: string, path: string, body?: unknown, token?: string) =>
    ask(parterre.url, method, path, body, token);
  const start = async (body: object): Promise<Draft> => (await call('POST', '/demo/drafts', body)).body as Draft;
  const sell = ({ chartId, token }: Draft) => call('POST', `/demo/drafts/${chartId}/sale`, { token });

  /** The document under a designer's session, and a save of another. */
  const read = ({ chartId, token }: Draft) => call('GET', `/v1/charts/${chartId}`, undefined, token);
  async function save(draft: Draft, change: (doc: Json) => object): Promise<Answer> {
    const { meta, doc } = (await read(draft)).body;
    const body = { doc: change(doc), expectedUpdatedAt: meta.updatedAt };
    return call('PUT', `/v1/charts/${draft.chartId}`, body, draft.token);
  }

  it('a visitor draws from a template, changes the drawing, puts it on sale, and a buyer holds a seat', async () => {
    expect((await call('GET', '/demo/drafts')).body.templates.length).toBe(templates.length);
    const draft = await start({ template: 'theatre', sizes: { rows: 5 }, name: 'My house' });
    expect(draft.designerUrl).toMatch(new RegExp(`^${parterre.url}/designer\\?.*#token=${draft.token}$`));
    expect(JSON.stringify(draft)).not.toMatch(/sk_/);
    expect((await save(draft, (doc) => ({ ...doc, name: 'My new house' }))).status).toBe(200);
    const sold = await sell(draft);
    expect(sold.status).toBe(201);
    const { eventKey, url } = sold.body;
    const key = new URLSearchParams(new URL(url).hash.slice(1)).get('key')!;
    const held = await call('POST', `/pub/events/${eventKey}/best-available`, { qty: 2 }, key);
    expect([held.status, held.body.labels.length]).toEqual([200, 2]);
    expect((await sell(draft)).body.eventKey).toBe(eventKey);
  });

  it('a drawing starts on the demo’s own page, by any name of this machine, and on no other page', async () => {
    const { port } = new URL(parterre.url);
    for (const host of ['localhost', '127.0.0.1']) {
      const url = `http://${host}:${port}`;
      const { status, body: draft } = await ask(url, 'POST', '/demo/drafts', { template: 'club' });
      expect(status).toBe(201);
      expect((await ask(url, 'GET', `/v1/charts/${draft.chartId}`, undefined, draft.token)).status).toBe(200);
    }
    const headers = { Origin: 'https://elsewhere.example' };
    expect((await fetch(`${parterre.url}/demo/drafts`, { method: 'POST', headers })).status).toBe(403);
  });

  it('an empty drawing is refused with the reason, and a changed drawing is another event', async () => {
    const draft = await start({});
    const refused = await sell(draft);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_chart']);
    expect(refused.body.issues).toEqual([{ path: 'objects', message: 'Nothing in this chart can be sold.' }]);
    const categories = [{ key: 'a', label: 'A', color: '#336699', price: 10 }];
    const table = (id: string) => ({
      type: 'table',
      id,
      label: id,
      shape: 'round',
      seatCount: 4,
      rotation: 0,
      categoryKey: 'a',
      center: { x: 0, y: 0 },
    });
    const saved = async (id: string) => {
      await save(draft, (doc) => ({ ...doc, categories, objects: [table(id)] }));
      return (await sell(draft)).body.eventKey as string | undefined;
    };
    const keys = [];
    for (const id of ['T1', 'T2', 'T3', 'T4', 'T5']) keys.push(await saved(id));
    expect(new Set(keys).size).toBe(5);
    await save(draft, (doc) => ({ ...doc, objects: [table('T6')] }));
    expect((await sell(draft)).body).toMatchObject({ code: 'conflict', reason: 'draft_sold_often' });
  });

  it('a visitor reaches no drawing of another, no other chart, and publishes nothing without a sale', async () => {
    const own = await start({ template: 'club' });
    const other = await start({ template: 'club' });
    const { chartId, keys } = parterre.demo;
    for (const foreign of [other.chartId, chartId]) {
      const stolen = { ...own, chartId: foreign };
      expect([(await read(stolen)).status, (await sell(stolen)).status]).toEqual([404, 404]);
    }
    expect((await call('POST', `/v1/charts/${own.chartId}/publish`, {}, own.token)).status).toBe(403);
    expect((await call('GET', '/v1/charts', undefined, own.token)).status).toBe(403);
    // The token of a session that the demo did not make: its chart is no drawing.
    const { meta } = (await call('GET', `/v1/charts/${chartId}`, undefined, keys.secretTest)).body;
    const session = { workspaceId: meta.workspaceId, chartId, allowedOrigin: parterre.url };
    const { token } = (await call('POST', '/v1/designer/sessions', session, keys.secretTest)).body;
    expect((await sell({ ...own, chartId, token })).body.code).toBe('chart_not_found');
    for (const forged of ['dse_', `dse_${'a'.repeat(38)}`, `${own.token}x`]) {
      expect((await sell({ ...own, token: forged })).status).toBe(401);
    }
    expect((await sell({ ...own, token: keys.secretTest })).status).toBe(422);
  });

  it('a drawing has bounds in bytes and in places', async () => {
    const draft = await start({ template: 'club', sizes: { capacity: 20_100 } });
    const refused = await sell(draft);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_chart']);
    expect(refused.body.message).toMatch(/at most 20000 places/);
    const large = await save(draft, (doc) => ({ ...doc, pad: 'x'.repeat(1_048_576) }));
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('a flood ends at the budget of its address, and old drawings go with their events', async () => {
    const kept = await start({ template: 'classroom' });
    const { eventKey } = (await sell(kept)).body;
    const flood = await Promise.all(Array.from({ length: 70 }, () => call('POST', '/demo/drafts', {})));
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([201, 429]));
    const { secret } = readJson<{ secret: string }>(demoKeysFile(parterre.dataDir))!;
    const api = createApi(parterre.url);
    const charts = async () => ((await api.ask('GET', '/v1/charts?limit=200', secret)).body as Json).charts.length;
    await forgetOnce(api, parterre.dataDir, Date.now());
    // Of the thirty starts of a day, the one from another page made no drawing.
    expect(await charts()).toBe(29);
    await forgetOnce(api, parterre.dataDir, Date.now() + 4 * HOUR_MS);
    expect((await api.ask('GET', `/v1/events/${eventKey}`, secret)).status).toBe(200);
    expect((await read(kept)).status).toBe(200);
    await forgetOnce(api, parterre.dataDir, Date.now() + 25 * HOUR_MS);
    expect([await charts(), (await read(kept)).status]).toEqual([0, 404]);
    // The key of the drawings reaches neither the demo's own chart nor its event.
    const { demo } = parterre;
    for (const path of [`/v1/charts/${demo.chartId}`, `/v1/events/${demo.eventKey}`]) {
      expect((await api.ask('GET', path, secret)).status).toBe(404);
      expect((await api.ask('GET', path, demo.keys.secretTest)).status).toBe(200);
    }
  });
});

it('a demo without drawing visitors answers 404, and so does a server whose address others reach', async () => {
  for (const env of [environments.scarce, environments.crowded]) {
    const parterre = await sharedParterre(env);
    try {
      expect((await ask(parterre.url, 'GET', '/demo/drafts')).status).toBe(404);
      expect((await ask(parterre.url, 'POST', '/demo/drafts', {})).status).toBe(404);
    } finally {
      await parterre.stop();
    }
  }
}, 120_000);
