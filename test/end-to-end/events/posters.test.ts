/** Posters: recognised by their magic bytes, stored once, served while an event shows them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../support/openapi.ts';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;
let event: Awaited<ReturnType<Shop['event']>>;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());
beforeEach(async () => {
  event = await shop.event();
});

const call = (method: string, path: string, body?: unknown) =>
  shop.call(method, path, { token: shop.token, ...(body === undefined ? {} : { body }) });

describe('posters', () => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(1_000, 7)]);
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
  const webp = Buffer.from('RIFF\u0004\0\0\0WEBPVP8 ', 'latin1');
  const put = async (body: Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`${shop.url}${event.path}/poster`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${shop.token}`, ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const get = (url: string, headers: Record<string, string> = {}) => fetch(shop.url + url, { headers });

  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])('are served as %s by their bytes, whatever Content-Type was sent', async (type, bytes) => {
    const { meta } = (await put(bytes, { 'Content-Type': 'text/plain' })).body;
    expect(meta.posterUrl).toBe(`/pub/assets/${meta.posterAssetId}`);
    const served = await get(meta.posterUrl, { Origin: 'https://shop.example' });
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': 'https://shop.example',
      etag: `"${meta.posterAssetId}"`,
    });
    const again = await get(meta.posterUrl, { 'If-None-Match': served.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  it('are stored once, can be removed, and can be named by a new event', async () => {
    const { posterAssetId, posterUrl } = (await put(png)).body.meta;
    await put(jpeg);
    expect((await put(png)).body.meta.posterAssetId).toBe(posterAssetId);
    const created = await call('POST', '/v1/events', { chartId: shop.chart.id, posterAssetId });
    expect(created.body.meta.posterUrl).toBe(posterUrl);
    const removed = await call('DELETE', `${event.path}/poster`);
    expect(removed.body.meta).toMatchObject({ posterAssetId: null, posterUrl: null });
    expect((await event.get()).body.meta.posterUrl).toBeNull();
    expect((await get(posterUrl)).status).toBe(200);
  });

  it('must be pictures of at most 5 MiB', async () => {
    expect((await put(Buffer.from('GIF89a'))).body.code).toBe('unsupported_media_type');
    expect((await put(Buffer.from('<svg/>'), { 'Content-Type': 'image/png' })).status).toBe(415);
    expect((await put(Buffer.alloc(0))).body.code).toBe('invalid_request');
    const large = Buffer.alloc(5 * 1024 * 1024);
    png.copy(large);
    expect((await put(large)).status).toBe(200);
    expect((await put(Buffer.concat([large, png]))).body.code).toBe('payload_too_large');
    expect((await get('/pub/assets/ast_none')).status).toBe(404);
  });
});
