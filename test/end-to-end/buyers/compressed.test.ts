/** The compressed forms of a buyer's chart and of the picker's files: bytes, caching, and callers that take no form. */
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Got = { status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer };

/** Unlike fetch, this request leaves the bytes as they are. */
function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(shop.url + path, { method, headers: { 'Content-Length': '0', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** An event on a chart of its own. */
async function eventOn(doc: { name: string; objects: unknown[] }) {
  const { token } = shop;
  const call = async (path: string, body: object) => (await shop.call('POST', path, { token, body })).body;
  const { meta: chart } = await call('/v1/charts', { name: doc.name, doc });
  await call(`/v1/charts/${chart.id}/publish`, {});
  const { key } = (await call('/v1/events', { chartId: chart.id })).meta;
  return { key: key as string, book: (body: object) => call(`/v1/events/${key}/book`, body) };
}

const asBuyer = (token = shop.own.publishable.secret) => ({ Origin: origin, Authorization: `Bearer ${token}` });
const [gzip, brotli] = [{ 'Accept-Encoding': 'gzip' }, { 'Accept-Encoding': 'gzip, deflate, br' }];

function jsonOf({ headers, bytes }: Got) {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return JSON.parse(brotliDecompressSync(bytes).toString());
  return JSON.parse((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString());
}

it('a chart has the same content in all forms, each with an ETag of its own', async () => {
  const event = await shop.event();
  const path = `/pub/events/${event.key}/chart`;
  const plain = await send('GET', path, asBuyer());
  const small = await send('GET', path, { ...asBuyer(), ...gzip });
  const smallest = await send('GET', path, { ...asBuyer(), ...brotli });
  expect(smallest.headers['content-encoding']).toBe('br');
  expect(jsonOf(smallest)).toEqual(jsonOf(plain));
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(small.headers['content-encoding']).toBe('gzip');
  expect(small.bytes.length).toBeLessThan(plain.bytes.length / 1.5);
  expect(jsonOf(small)).toEqual(jsonOf(plain));
  for (const { headers } of [plain, small, smallest]) {
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding, Authorization, Cookie, Origin',
      'cache-control': 'private, no-cache',
    });
  }
  const plainTag = String(plain.headers.etag);
  const smallTag = String(small.headers.etag);
  expect(smallTag).toBe(plainTag.replace(/"$/, '-gzip"'));
  const known = await send('GET', path, { ...asBuyer(), ...gzip, 'If-None-Match': smallTag });
  expect([known.status, known.headers.etag, known.headers.vary]).toEqual([
    304,
    smallTag,
    'Accept-Encoding, Authorization, Cookie, Origin',
  ]);
  expect((await send('GET', path, { ...asBuyer(), 'If-None-Match': plainTag })).status).toBe(304);
  expect((await send('GET', path, { ...asBuyer(), 'If-None-Match': smallTag })).status).toBe(200);
});

it('a chart changes in its compressed form with the facts of its event and with hidden sections', async () => {
  const event = await shop.event();
  const path = `/pub/events/${event.key}/chart`;
  const read = () => send('GET', path, { ...asBuyer(), ...brotli });
  const before = await read();
  await event.post('close');
  const closed = await read();
  expect(jsonOf(closed)).toMatchObject({ event: { salesClosed: true }, doc: jsonOf(before).doc });
  expect(closed.headers.etag).not.toBe(before.headers.etag);
  await event.post('reopen');
  await event.post('availability', { rules: { __ungrouped__: { mode: 'hidden' } } });
  expect(jsonOf(await read()).doc.objects).toEqual([]);
});

it('the answer that opens a session is compressed, and no cache keeps it', async () => {
  const event = await shop.event();
  const opened = await send('POST', `/pub/events/${event.key}/session`, { ...asBuyer(), ...gzip });
  expect(opened.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'private, no-store' });
  const plain = jsonOf(await send('POST', `/pub/events/${event.key}/session`, asBuyer()));
  expect(jsonOf(opened)).toEqual({ ...plain, token: expect.any(String), expiresAt: expect.any(Number) });
  const { token } = jsonOf(opened);
  expect((await send('GET', `/pub/events/${event.key}/chart`, asBuyer(token))).status).toBe(200);
});

it('many statuses are compressed with the chart once, and change with the next sale', async () => {
  const [row, , area] = shop.hall.objects;
  const field = { ...area, id: 'field', label: 'Field', capacity: 4_000 };
  const event = await eventOn({ ...shop.hall, name: 'Field', objects: [row, field] });
  await event.book({ selections: [{ label: 'Field', quantity: 1_500 }], bookingRef: 'crowd' });
  const open = (accepts: Record<string, string>) =>
    send('POST', `/pub/events/${event.key}/session`, { ...asBuyer(), ...accepts });
  const read = (accepts: Record<string, string>) =>
    send('GET', `/pub/events/${event.key}/objects?compact=1`, { ...asBuyer(), ...accepts });
  await expect.poll(async () => Object.keys(jsonOf(await read({})).seats).length).toBe(1_500);
  const plain = await open({});
  const map = await read({});
  expect(plain.headers['content-encoding']).toBeUndefined();
  // Brotli has no blocks that could stand behind the chart's, so gzip is the smaller form here.
  for (const accepts of [gzip, brotli]) {
    const opened = await open(accepts);
    expect(opened.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'private, no-store' });
    expect(opened.bytes.length).toBeLessThan(plain.bytes.length / 4);
    const { doc, objects, event: facts, token } = jsonOf(opened);
    expect({ doc, objects, event: facts }).toEqual({
      doc: jsonOf(plain).doc,
      objects: jsonOf(plain).objects,
      event: jsonOf(plain).event,
    });
    expect((await send('GET', `/pub/events/${event.key}/objects`, asBuyer(token))).status).toBe(200);
    const small = await read(accepts);
    expect([small.headers['content-encoding'], jsonOf(small)]).toEqual(['gzip', jsonOf(map)]);
    expect(small.bytes.length).toBeLessThan(map.bytes.length / 4);
  }
  const oneForm = await open({ 'Accept-Encoding': 'br' });
  expect([oneForm.headers['content-encoding'], jsonOf(oneForm).objects]).toEqual(['br', jsonOf(plain).objects]);
  await event.book({ labels: ['A-1'], bookingRef: 'one' });
  await expect.poll(async () => jsonOf(await open(gzip)).objects.seats['A-1']).toBe('booked');
});

it("the picker's files come in the smallest form that the browser takes", async () => {
  const entry = await send('GET', '/demo/parterre.js');
  expect(entry.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
  const [, name] = /'\.\/(chunk-[A-Z0-9]{8}\.js)'/.exec(entry.bytes.toString())!;
  const forms = await Promise.all(
    ['', 'gzip', 'gzip, deflate, br', 'br;q=0, gzip'].map((each) =>
      send('GET', `/demo/${name}`, each === '' ? {} : { 'Accept-Encoding': each }),
    ),
  );
  expect(forms.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br', 'gzip']);
  const [plain, gzipped, smallest] = forms;
  expect(gunzipSync(gzipped!.bytes).equals(plain!.bytes)).toBe(true);
  expect(brotliDecompressSync(smallest!.bytes).equals(plain!.bytes)).toBe(true);
  expect(smallest!.bytes.length).toBeLessThan(gzipped!.bytes.length);
  expect(gzipped!.bytes.length).toBeLessThan(plain!.bytes.length / 2);
  expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3);
  for (const { headers } of forms) {
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
    });
  }
  const etag = String(smallest!.headers.etag);
  const known = { 'Accept-Encoding': 'br', 'If-None-Match': etag };
  expect((await send('GET', `/demo/${name}`, known)).status).toBe(304);
  expect((await send('GET', `/demo/${name}`, { 'If-None-Match': etag })).status).toBe(200);
  for (const unknown of [`${name}.br`, `${name}.gz`, 'manifest.json', '..%2Ffrontdoor.js']) {
    expect((await send('GET', `/demo/${unknown}`)).status).toBe(404);
  }
});
