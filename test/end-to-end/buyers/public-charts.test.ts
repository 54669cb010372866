/**
 * The public files of a chart and the statuses of an audience, read as a stranger reads them: without a credential,
 * from no page. Everything of the hidden section has "secret" in its name.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Json, openShop, origin, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
let chartId: string;

const section = (id: string, y: number) => {
  const outline = [
    { x: -10, y: y - 5 },
    { x: 400, y: y - 5 },
    { x: 400, y: y + 5 },
    { x: -10, y: y + 5 },
  ];
  return { type: 'section', id, label: `${id} section`, outline };
};

beforeAll(async () => {
  shop = await openShop();
  const [front, back, floor] = shop.hall.objects as Json[];
  const doc = {
    ...shop.hall,
    categories: [...shop.hall.categories, { key: 'secret-vip', label: 'secret', color: '#000000', price: 90 }],
    objects: [
      { ...front, categoryKey: 'balcony' },
      { ...back, id: 'secret-row', label: 'secret', categoryKey: 'secret-vip' },
      floor,
      section('front', 0),
      section('secret-box', 20),
      { type: 'text', id: 'words', label: 'secret bar', x: 50, y: 20 },
    ],
  };
  const { token } = shop;
  chartId = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Sections', doc } })).body.meta.id;
  await shop.call('POST', `/v1/charts/${chartId}/publish`, { token });
}, 120_000);
afterAll(() => shop?.stop());

async function openEvent() {
  const { token } = shop;
  const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body.meta;
  const path = `/v1/events/${key}`;
  const hide = (...sections: string[]) => {
    const rules = Object.fromEntries(sections.map((id) => [id, { mode: 'hidden' }]));
    return shop.call('POST', `${path}/availability`, { token, body: { rules } });
  };
  return {
    key: key as string,
    path,
    hide,
    post: (action: string, body: unknown) => shop.call('POST', `${path}/${action}`, { token, body }),
    /** What the server tells a buyer with this session. Without a session the buyer has the publishable key. */
    files: async (bearer = shop.own.publishable.secret as string): Promise<Json> =>
      (await shop.buyer('GET', `${key}/chart?files=1`, { token: bearer })).body,
  };
}

const read = (url: string, headers: Record<string, string> = {}): Promise<Answer> => shop.call('GET', url, { headers });
const bytesOf = async (url: string): Promise<string> => JSON.stringify((await read(url)).body);

describe('an answer with files=1', () => {
  it.each(['bootstrap', 'session'])('of %s names the files and the statuses in place of both', async (way) => {
    const { key } = await openEvent();
    const body = way === 'bootstrap' ? { publicKey: shop.own.publishable.secret } : undefined;
    const headers = { Origin: origin };
    const token = way === 'bootstrap' ? undefined : shop.own.publishable.secret;
    const call = (query: string) =>
      shop.call('POST', `/pub/events/${key}/${way}${query}`, {
        headers,
        ...(body && { body }),
        ...(token && { token }),
      });
    const whole = (await call('')).body;
    const opened = await call('?files=1');
    expect(Object.keys(opened.body).sort()).toEqual([
      'availability',
      'event',
      'expiresAt',
      'files',
      'snapshotVersion',
      'statusesUrl',
      'token',
    ]);
    expect(opened.body.event).toEqual(whole.event);
    expect(opened.headers.get('cache-control')).toBe('private, no-store');
    const [file] = opened.body.files;
    expect(file.parts).toEqual(['base', 'front', 'secret-box']);
    expect((await read(file.url)).body).toEqual(whole.doc);
    expect((await read(opened.body.statusesUrl)).body).toEqual(whole.objects);
    expect(opened.body.snapshotVersion).toBe(whole.objects.snapshotVersion);
    const { token: bearer, availability } = opened.body;
    expect((await shop.buyer('GET', `${key}/objects`, { token: bearer })).status).toBe(200);
    const asked = (await shop.buyer('GET', `${key}/availability`, { token: bearer })).body;
    expect({ ...availability, serverTime: 0 }).toEqual({ ...asked, serverTime: 0 });
  });

  it('of a fresh session tells the units that others hold, and no price of a hidden section', async () => {
    const event = await openEvent();
    await event.hide('secret-box');
    await event.post('hold', { labels: ['A-1', 'A-2'] });
    const body = { publicKey: shop.own.publishable.secret };
    const open = () =>
      shop.call('POST', `/pub/events/${event.key}/bootstrap?files=1`, { headers: { Origin: origin }, body });
    await expect.poll(async () => (await open()).body.availability.heldByOthers).toBe(2);
    const answer = JSON.stringify((await open()).body);
    expect(answer).not.toMatch(/secret/);
  });

  it('of a closed event, a renamed event, and a reveal tells the state of now', async () => {
    const event = await openEvent();
    const body = { publicKey: shop.own.publishable.secret };
    const open = async () =>
      (await shop.call('POST', `/pub/events/${event.key}/bootstrap?files=1`, { headers: { Origin: origin }, body }))
        .body;
    const first = await open();
    expect(first.event).toMatchObject({ status: 'active', salesClosed: false });
    await shop.call('PATCH', event.path, { token: shop.token, body: { name: 'Another name' } });
    await expect.poll(async () => (await open()).event.name).toBe('Another name');
    await event.hide('secret-box');
    await expect.poll(async () => (await open()).files[0].hash).not.toBe(first.files[0].hash);
    await event.post('close', {});
    await expect.poll(async () => (await open()).event.salesClosed).toBe(true);
    expect((await open()).token).not.toBe(first.token);
  });

  it('of chart has an ETag, and tells the same files to everybody', async () => {
    const event = await openEvent();
    const answer = await shop.buyer('GET', `${event.key}/chart?files=1`);
    const again = { 'If-None-Match': answer.headers.get('etag')! };
    expect((await shop.buyer('GET', `${event.key}/chart?files=1`, { headers: again })).status).toBe(304);
    const { channel } = (await event.post('channels', { name: 'Club' })).body;
    const minted = { channelIds: [channel.id], includePublic: false, allowedOrigin: origin };
    const { token } = (await event.post('buyer-access-sessions', minted)).body;
    const told = await event.files(token);
    expect(told.files).toEqual(answer.body.files);
    expect(told.statusesUrl).not.toBe(answer.body.statusesUrl);
  });

  it('of an access link names the statuses of the channel', async () => {
    const event = await openEvent();
    const { channel } = (await event.post('channels', { name: 'Club' })).body;
    const assigned = { targetChannelId: channel.id, labels: ['A-1', 'A-2'], assignmentVersion: 0 };
    await event.post('channels/assignments', assigned);
    const { capability } = (await event.post(`channels/${channel.id}/access-links`, {})).body;
    const redeem = { headers: { Origin: origin }, body: { capability } };
    const opened = await shop.call('POST', `/pub/events/${event.key}/access-links/redeem?files=1`, redeem);
    const seats = { default: 'not_for_sale', seats: { 'A-1': 'free', 'A-2': 'free' } };
    expect((await read(opened.body.statusesUrl)).body).toMatchObject(seats);
  });
});

describe('a file', () => {
  it('is named by its content, and kept by everybody for a year in each form', async () => {
    const { url, hash, bytes } = (await (await openEvent()).files()).files[0];
    const forms = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (encoding) => {
        const headers = { 'Accept-Encoding': encoding, Origin: 'https://anywhere.example' };
        const answer = await fetch(shop.url + url, { headers });
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('vary')).toBe('Accept-Encoding');
        return [answer.headers.get('content-encoding'), Buffer.from(await answer.arrayBuffer())] as const;
      }),
    );
    expect(forms.map(([encoding]) => encoding)).toEqual([null, 'gzip', 'br']);
    // fetch has undone the compression.
    for (const [, plain] of forms) {
      expect(createHash('sha256').update(plain).digest('base64url')).toBe(hash);
      expect(plain.length).toBe(bytes);
    }
    const known = await read(url, { 'If-None-Match': `"${hash}"` });
    expect([known.status, known.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
  });

  it('of an address that nobody told is 404, which no cache keeps', async () => {
    const event = await openEvent();
    const { url } = (await event.files()).files[0];
    const other = await openEvent();
    const wrong = [
      `/pub/charts/${'0'.repeat(43)}`,
      `/pub/charts/${'0'.repeat(43)}?event=${event.key}`,
      url.replace(/charts\/[^?]+/, `charts/${'0'.repeat(43)}`),
      url.replace(event.key, other.key).replace(/charts\/[^?]+/, `charts/${'1'.repeat(43)}`),
    ];
    for (const address of wrong) {
      const answer = await read(address);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    }
  });

  it('of a deleted event is 404', async () => {
    const event = await openEvent();
    const { files, statusesUrl } = await event.files();
    await shop.call('DELETE', event.path, { token: shop.token });
    await expect.poll(async () => (await read(statusesUrl)).status).toBe(404);
    await expect.poll(async () => (await read(files[0].url)).status).toBe(404);
  });
});

describe('a hidden section', () => {
  it('is in no byte that a stranger gets, before its reveal and after it is hidden again', async () => {
    const event = await openEvent();
    await event.hide('secret-box');
    await event.post('book', { labels: ['secret-1'], bookingRef: 'order-1' });
    const before = await event.files();
    expect(before.files[0].parts).toEqual(['base', 'front']);
    const stranger = async (told: Json) => [await bytesOf(told.files[0].url), await bytesOf(told.statusesUrl)];
    const hidden = { ...(await read(before.statusesUrl)).body };
    expect(hidden).toMatchObject({ default: 'not_for_sale', hidden: ['secret-box'] });
    const [file, statuses] = await stranger(before);
    expect(file).not.toMatch(/secret/);
    // The division's own id is told, as to every buyer, so that pages can leave it out.
    expect(statuses!.replace('"hidden":["secret-box"]', '')).not.toMatch(/secret/);
    expect(file).toContain('"A"');

    await event.hide();
    const revealed = await event.files();
    expect(revealed.files[0].hash).not.toBe(before.files[0].hash);
    expect((await stranger(revealed)).join()).toMatch(/secret-row.*secret bar.*secret-1/);
    // A page that was told the file a moment ago still gets it: it shows less.
    expect((await read(before.files[0].url)).status).toBe(200);

    await event.hide('secret-box');
    const again = await event.files();
    expect((await read(revealed.files[0].url)).status).toBe(404);
    expect((await read(revealed.files[0].url.split('?')[0])).status).toBe(404);
    expect((await stranger(again))[0]).toBe(file);
  });

  it('is in no file and no statuses of a channel, and a console opens no public address', async () => {
    const event = await openEvent();
    const { channel } = (await event.post('channels', { name: 'Club' })).body;
    const assigned = { targetChannelId: channel.id, labels: ['A-1', 'secret-2'], assignmentVersion: 0 };
    await event.post('channels/assignments', assigned);
    await event.hide('secret-box');
    const minted = { channelIds: [channel.id], includePublic: false, allowedOrigin: origin };
    const { token } = (await event.post('buyer-access-sessions', minted)).body;
    const told = await event.files(token);
    expect(await bytesOf(told.files[0].url)).not.toMatch(/secret/);
    const seen = (await read(told.statusesUrl)).body;
    expect(seen.seats).toEqual({ 'A-1': 'free' });
    const console = (await event.post('manage-sessions', { allowedOrigin: origin })).body.token;
    const refused = await shop.buyer('GET', `${event.key}/chart?files=1`, { token: console });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([401, expect.not.stringMatching(/secret|charts\//)]);
    const held = await event.post('hold', { labels: ['secret-3'] });
    expect(held.status).toBe(200);
    expect(await bytesOf((await event.files()).files[0].url)).not.toMatch(/secret/);
  });
});

describe('statuses', () => {
  it('are kept for a second by everybody, have an ETag, and change with a sale', async () => {
    const event = await openEvent();
    const { statusesUrl } = await event.files();
    const first = await read(statusesUrl, { Origin: 'https://anywhere.example' });
    expect(first.headers.get('cache-control')).toBe('public, max-age=1, stale-while-revalidate=5');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('vary')).toBe('Accept-Encoding');
    const etag = { 'If-None-Match': first.headers.get('etag')! };
    expect((await read(statusesUrl, etag)).status).toBe(304);
    await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
    await expect.poll(async () => (await read(statusesUrl, etag)).status).toBe(200);
    const { body } = await read(statusesUrl);
    expect(body).toEqual((await shop.buyer('GET', `${event.key}/objects?compact=1`)).body);
    expect(body.seats).toMatchObject({ 'A-1': 'booked' });
  });

  it('go on as frames from their version', async () => {
    const event = await openEvent();
    const { snapshotVersion } = (await read((await event.files()).statusesUrl)).body;
    await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
    const { protocols } = (await shop.buyer('POST', `${event.key}/subscribe-tickets`, { body: {} })).body;
    const offered = [...protocols, `sv.${snapshotVersion}`];
    const watcher = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, offered);
    const frame = await watcher.next();
    expect(frame).toMatchObject({ type: 'delta', changes: [{ label: 'A-1', status: 'booked' }] });
    watcher.close();
  });

  it("of a channel show the channel's seats to who knows the address, until access is revoked", async () => {
    const event = await openEvent();
    const { channel } = (await event.post('channels', { name: 'Club' })).body;
    const assigned = { targetChannelId: channel.id, labels: ['A-1', 'A-2'], assignmentVersion: 0 };
    await event.post('channels/assignments', assigned);
    const mint = async () => {
      const body = { channelIds: [channel.id], includePublic: false, allowedOrigin: origin };
      return (await event.post('buyer-access-sessions', body)).body;
    };
    const [ended, staying] = [await mint(), await mint()];
    const { statusesUrl } = await event.files(ended.token);
    const ofAll = (await event.files()).statusesUrl;
    expect((await event.files(staying.token)).statusesUrl).toBe(statusesUrl);
    expect((await read(statusesUrl)).body.seats).toEqual({ 'A-1': 'free', 'A-2': 'free' });
    expect((await read(ofAll)).body.seats).toMatchObject({ 'A-1': 'not_for_sale', 'A-2': 'not_for_sale' });
    // The scope alone opens nothing.
    const { pathname, search } = new URL(shop.url + ofAll);
    expect((await read(`${pathname}${search}&scope=1`)).status).toBe(404);

    const session = `${event.path}/buyer-access-sessions/${ended.sessionId}`;
    expect((await shop.call('DELETE', session, { token: shop.token })).status).toBe(200);
    await expect.poll(async () => (await read(statusesUrl)).status).toBe(404);
    expect((await read(ofAll)).status).toBe(200);
    const renewed = (await event.files(staying.token)).statusesUrl;
    expect(renewed).not.toBe(statusesUrl);
    expect((await read(renewed)).body.seats).toEqual({ 'A-1': 'free', 'A-2': 'free' });
  });

  it('of a large event are compressed', async () => {
    const [front, , floor] = shop.hall.objects as Json[];
    const field = { ...floor, id: 'field', label: 'Field', capacity: 4_000 };
    const doc = { ...shop.hall, objects: [front, field], categories: shop.hall.categories.slice(0, 1) };
    const { token } = shop;
    const { meta } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Field', doc } })).body;
    await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
    const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId: meta.id } })).body.meta;
    const body = { selections: [{ label: 'Field', quantity: 1_500 }], bookingRef: 'crowd' };
    await shop.call('POST', `/v1/events/${key}/book`, { token, body });
    const { statusesUrl } = (await shop.buyer('GET', `${key}/chart?files=1`)).body;
    await expect.poll(async () => Object.keys((await read(statusesUrl)).body.seats).length).toBe(1_500);
    const answer = await fetch(shop.url + statusesUrl, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.json()).toEqual((await read(statusesUrl)).body);
  });
});
