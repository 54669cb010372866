/** The picker over public chart files: it opens, sees a reveal, and goes on by the feed, with no call too many. */
import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, PATIENCE_MS } from './box-office.ts';
import { namedCall, openPicker } from './picker.ts';

const desktop = { width: 1280, height: 800 };

describeInBrowser('the picker over public files', { timeout: 90_000 }, (office) => {
  const { addressOf, makeEvent, post } = office;

  test('opens, sees a reveal, and goes on by the feed: each needs the new files alone', async () => {
    const event = await makeEvent();
    const hide = (rules: object) => post(`/v1/events/${event}/availability`, { rules });
    await hide({ stalls: { mode: 'hidden' } });
    const page = await office.newPage({ viewport: desktop });
    let requests: Request[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/pub/')) requests.push(request);
    });
    /** Since the last time. Prices are read now and then. */
    const asked = () => {
      const names = requests.map((request) => namedCall(new URL(request.url()).pathname)).sort();
      requests = [];
      return names.filter((name) => name !== 'availability');
    };
    const buyer = await openPicker({ newPage: async () => page }, addressOf(event), desktop);
    const isOnMap = (label: string) =>
      buyer.evaluate(`document.querySelector('parterre-map').map.placeOf('${label}') !== null`);
    const publicly = requests.filter((request) => /\/pub\/(charts|statuses)\//.test(request.url()));
    expect(publicly.map((request) => request.headers().authorization)).toEqual([undefined, undefined]);
    expect(asked()).toEqual(['bootstrap', 'chart file', 'statuses', 'subscribe-tickets']);
    expect(await isOnMap('C-5')).toBe(false);

    await hide({});
    await expect.poll(() => isOnMap('C-5'), { timeout: PATIENCE_MS }).toBe(true);
    expect(asked()).toEqual(['chart', 'chart file']);
    await buyer.enter(/^Stalls/);
    await buyer.sees('C-5', /available$/);
    await post(`/v1/events/${event}/book`, { labels: ['C-5'], bookingRef: 'sold' });
    await buyer.sees('C-5', /sold$/);
    await buyer.clickSeat('C-6');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    expect(asked()).toEqual(['hold']);
    expect(buyer.faults).toEqual([]);
    await page.close();
  });
});
