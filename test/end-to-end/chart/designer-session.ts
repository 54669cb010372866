/** A designer's page, as the server hears it: a published chart, and the calls of a session of this chart. */
import { expect } from 'vitest';
import type { Shop } from '../shop.ts';

/** The origin of the page. */
export const page = 'https://designer.example';

export async function publishedChart(shop: Shop, doc: object): Promise<{ id: string; workspaceId: string }> {
  const post = (path: string, body: object) => shop.call('POST', path, { token: shop.token, body });
  const { meta } = (await post('/v1/charts', { name: 'Hall', doc })).body;
  expect((await post(`/v1/charts/${meta.id}/publish`, {})).status).toBe(200);
  return meta;
}

/** `more`: fields of the session. `by` mints it. */
export async function openSession(shop: Shop, chartId: string, more: object, by = shop.token) {
  const body = { workspaceId: shop.chart.workspaceId, chartId, allowedOrigin: page, ...more };
  const minted = await shop.call('POST', '/v1/designer/sessions', { token: by, body });
  expect(minted.status).toBe(201);
  const token: string = minted.body.token;
  const call = (method: string, what = '', sent?: object, id = chartId, origin = page) =>
    shop.call(method, `/v1/charts/${id}${what}`, { token, headers: { Origin: origin }, ...(sent && { body: sent }) });
  return { token, call };
}
