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
    expect(headers).toMatchObject({ vary: 'Accept-Encoding, Origin', 'cache-control': 'private, no-cache' });
  }
  const [plainTag, smallTag] = [String(plain.headers.etag), String(small.headers.etag)];
  expect(smallTag).toBe(plainTag.replace(/"$/, '-gzip"'));
  const known = await send('GET', path, { ...asBuyer(), ...gzip, 'If-None-Match': smallTag });
  expect([known.status, known.headers.etag, known.headers.vary]).toEqual([304, smallTag, 'Accept-Encoding, Origin']);
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
  expect(opened.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
  const plain = jsonOf(await send('POST', `/pub/events/${event.key}/session`, asBuyer()));
  expect(jsonOf(opened)).toEqual({ ...plain, token: expect.any(String), expiresAt: expect.any(Number) });
  const { token } = jsonOf(opened);
  expect((await send('GET', `/pub/events/${event.key}/chart`, asBuyer(token))).status).toBe(200);
});

it("the picker's files come in the smallest form that the browser takes", async () => {
  const entry = await send('GET', '/demo/parterre.js');
  expect(entry.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
  const [, name] = /'\.\/(picker-[A-Z0-9]{8}\.js)'/.exec(entry.bytes.toString())!;
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
