/** The answers that a page asks for before the picker's script has come. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApi } from '../../../web/src/sale/api.ts';
import { createClock } from '../../../web/src/sale/clock.ts';
import { eventAddress, openEarly } from '../../../web/src/sale/early.ts';

const origin = 'https://seats.example';
const files = [{ hash: 'h', bytes: 2, url: '/pub/charts/h?event=ev', parts: ['base'] }];
const opened = {
  token: 'bse_1',
  event: { key: 'ev' },
  files,
  statusesUrl: '/pub/statuses/s?event=ev',
  snapshotVersion: 4,
};

let asked: string[];
let answerOf: (url: string) => Response;

beforeEach(() => {
  asked = [];
  answerOf = (url) => Response.json(url.includes('/bootstrap') ? opened : { url });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(
      `${init.method ?? 'GET'} ${url.slice(origin.length)} ${(init.headers as Record<string, string>)?.Authorization ?? ''}`.trim(),
    );
    return answerOf(url);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  delete (globalThis as { parterreEarly?: unknown }).parterreEarly;
});

const apiOf = (publicKey = 'pk_1') => createApi(`${origin}/`, 'ev', { publicKey }, createClock());
const ticketOf = (api: ReturnType<typeof apiOf>) =>
  api.call<{ url: string }>('POST', 'subscribe-tickets', { body: {}, once: true });

test('the session, the file, the statuses and a ticket are asked once, and the picker takes each', async () => {
  await openEarly(eventAddress(origin, 'ev'), 'pk_1');
  const early = [
    'POST /pub/events/ev/bootstrap?files=1',
    'GET /pub/charts/h?event=ev',
    'GET /pub/statuses/s?event=ev',
    'POST /pub/events/ev/subscribe-tickets Bearer bse_1',
  ];
  expect(asked).toEqual(early);
  const api = apiOf();
  expect(await api.open()).toMatchObject({ ok: true, value: { snapshotVersion: 4 } });
  expect(await api.load('/pub/charts/h?event=ev', 'default')).toMatchObject({ ok: true });
  expect(await api.load('/pub/statuses/s?event=ev', 'default')).toMatchObject({ ok: true });
  expect(await ticketOf(api)).toMatchObject({ ok: true });
  expect(asked).toEqual(early);
  await ticketOf(api);
  expect(asked).toEqual([...early, early[3]]);
});

test('the picker asks itself for another key, after fifteen seconds, and where the early call had no answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await openEarly(eventAddress(origin, 'ev'), 'pk_1');
  await apiOf('pk_2').open();
  vi.setSystemTime(Date.now() + 15_000);
  await apiOf('pk_1').open();
  expect(asked.filter((each) => each.includes('/bootstrap'))).toHaveLength(3);
  answerOf = () => {
    throw new TypeError('no network');
  };
  await openEarly(eventAddress(origin, 'ev'), 'pk_1');
  answerOf = () => Response.json(opened);
  expect(await apiOf('pk_1').open()).toMatchObject({ ok: true });
});

test('a session of another credential asks for its own ticket, and leaves the early one', async () => {
  await openEarly(eventAddress(origin, 'ev'), 'pk_1');
  const ofHost = createApi(`${origin}/`, 'ev', { token: async () => 'bse_channel' }, createClock());
  await ticketOf(ofHost);
  expect(asked.at(-1)).toBe('POST /pub/events/ev/subscribe-tickets Bearer bse_channel');
  const before = asked.length;
  const ofKey = apiOf();
  await ofKey.open();
  await ticketOf(ofKey);
  expect(asked).toHaveLength(before);
});

test('a refused session, and a server without files, ask nothing more', async () => {
  answerOf = () => Response.json({ code: 'not_found' }, { status: 404 });
  await openEarly(eventAddress(origin, 'ev'), 'pk_1');
  expect(await apiOf().open()).toMatchObject({ ok: false, status: 404 });
  answerOf = () => Response.json({ token: 'bse_1', event: {}, doc: {}, objects: {} });
  await openEarly(eventAddress(origin, 'ev'), 'pk_1');
  expect(asked).toHaveLength(2);
});
