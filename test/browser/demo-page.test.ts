/**
 * The picker in a real browser, on the demo page that a front door serves: buyers choose, hold, wait, give up and come
 * back.
 */
import { beforeAll, expect, test } from 'vitest';
import { bowl } from '../../scripts/generate-charts.mjs';
import { describeInBrowser } from './box-office.ts';
import { live, namedCall, openPicker } from './picker.ts';

describeInBrowser('the picker', { timeout: 90_000 }, (office) => {
  const { addressOf, makeEvent, post } = office;
  let onSale = '';
  const open = () => openPicker(office, addressOf(onSale));

  beforeAll(async () => {
    onSale = await makeEvent();
  });

  test('is served under a policy that allows only its own scripts, and browsers cache it until it changes', async () => {
    const page = await fetch(`${office.parterre.url}/demo`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self' 'sha256-[^']+';/,
    );
    const bare = (accept: string) => fetch(office.parterre.url, { redirect: 'manual', headers: { Accept: accept } });
    expect((await bare('text/html,*/*;q=0.8')).headers.get('location')).toBe('/demo');
    expect((await bare('*/*')).status).toBe(404);
    const script = await fetch(`${office.parterre.url}/demo/parterre.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
    const etag = script.headers.get('etag')!;
    const again = await fetch(`${office.parterre.url}/demo/parterre.js`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect((await fetch(`${office.parterre.url}/demo/..%2Ffrontdoor.js`)).status).toBe(404);
  });

  test('asks for all files of its first load, and for the sale, before one of them has come', async () => {
    const document = await (await fetch(`${office.parterre.url}/demo`)).text();
    const named = [...document.matchAll(/(?:src|modulepreload" href)="(\/demo\/[^"]+\.js)"/g)].map(([, path]) => path!);
    const page = await office.newPage();
    const asked: string[] = [];
    let answer = () => {};
    const all = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const sale = ['bootstrap', 'chart file', 'statuses', 'subscribe-tickets'];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/pub/') && !pathname.endsWith('.js')) return;
      asked.push(namedCall(pathname));
      if ([...named, ...sale].every((each) => asked.includes(each))) answer();
    });
    await page.route('**/demo/*.js', async (route) => {
      await all;
      await route.continue();
    });
    await page.goto(addressOf(onSale));
    await live(page);
    const once = asked.filter((each) => each !== 'availability').sort();
    expect([named.length > 4, once]).toEqual([true, [...named, ...sale].sort()]);
    await page.close();
  });

  test('takes a label or a list of labels from its page, and says what it wants instead of anything else', async () => {
    const buyer = await open();
    const toggle = (labels: string) => buyer.evaluate(`document.querySelector('parterre-map').map.toggle(${labels})`);
    await toggle(`'C-3'`);
    await toggle(`['C-4', 'no such place']`);
    expect(await buyer.chosen()).toEqual(['C-3', 'C-4']);
    await expect(toggle('3')).rejects.toThrow("toggle takes labels of places as strings, for example 'C-3'.");
    await buyer.page.close();
  });

  test('one buyer takes a seat on the map, and another buyer sees it go and cannot take it', async () => {
    const [ada, ben] = await Promise.all([open(), open()]);
    await ben.enter(/^Stalls/);
    await ben.sees('C-5', /^Row C, seat 5, Premium, €60, available$/);
    await ben.clickSeat('C-5');
    await ben.sees('C-5', /chosen$/);
    await ada.clickSeat('C-5');
    await ada.clickSeat('C-6');
    await ada.button('Hold them for me').click();
    await ada.timer.waitFor();
    await ben.sees('C-5', /in somebody’s basket$/);
    await ben.notice.filter({ hasText: 'Row C, seat 5 was just taken by somebody else.' }).waitFor();
    await ben.hears(/Row C, seat 5 was just taken/);
    expect(await ben.chosen()).toEqual([]);
    await ada.button('Release').click();
    await ben.sees('C-5', /available$/);
    expect([...ada.faults, ...ben.faults]).toEqual([]);
    await Promise.all([ada.page.close(), ben.page.close()]);
  });

  test('a hold counts down, stays over a reload, and is bought by the shop or given up', async () => {
    const buyer = await open();
    await buyer.clickSeat('D-7');
    await buyer.button('Hold it for me').click();
    const first = await buyer.timer.textContent();
    await expect.poll(() => buyer.timer.textContent(), { timeout: 10_000 }).not.toBe(first);
    await buyer.hears(/^Held for you for 15 minutes/);
    await buyer.reload();
    await buyer.timer.waitFor();
    await buyer.page.getByRole('region', { name: 'Your places' }).getByText('Row D, seat 7').waitFor();
    await buyer.button('Release').click();
    await buyer.notice.filter({ hasText: 'Released.' }).waitFor();
    await buyer.reload();
    await expect.poll(() => buyer.timer.count()).toBe(0);
    await buyer.clickSeat('D-8');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    const { holdId } = await buyer.hold();
    await post(`/v1/events/${onSale}/book`, { holdId, bookingRef: 'order-1' });
    await buyer.notice.filter({ hasText: 'Bought.' }).waitFor();
    await expect.poll(() => buyer.timer.count()).toBe(0);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('a buyer with keys alone goes into a section, chooses by arrows, hears each step, and holds and releases', async () => {
    const buyer = await open();
    const { keyboard } = buyer.page;
    const focused = async () => (await buyer.focused()).name;
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key);
    };
    await press('Tab');
    expect(await focused()).toMatch(/^Stalls: \d+ of 96 free$/);
    await press('ArrowDown', 'ArrowDown');
    expect(await focused()).toMatch(/^Standing: 20 places free$/);
    await press('Enter');
    await buyer.hears(/^1 place chosen/);
    await press('Home', 'Enter');
    expect(await focused()).toBe('Row A, seat 1, Premium, €60, available');
    await press('ArrowRight', 'ArrowDown', '+', '-');
    expect(await focused()).toBe('Row B, seat 2, Premium, €60, available');
    await press(' ');
    await buyer.hears(/^Row B, seat 2 chosen/);
    await expect.poll(focused).toMatch(/chosen$/);
    await press('End', 'Escape');
    expect(await focused()).toMatch(/^Stalls:/);
    while (!/^Hold them/.test(await focused())) await press('Tab');
    await press('Enter');
    await buyer.hears(/^Held for you/);
    while (!/^Release/.test(await focused())) await press('Tab');
    await press('Enter');
    await buyer.hears(/^Released/);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('100,000 seats are panned and zoomed, and only those on screen are drawn', async () => {
    const event = await makeEvent({ doc: bowl() });
    const opened = performance.now();
    const buyer = await openPicker(office, addressOf(event));
    console.log(`100,000 seats open after ${Math.round(performance.now() - opened)} ms`);
    for (const scale of [0.06, 0.28, 0.5, 1.4]) {
      type Travelled = { ours: number; frame: number; spots: number; first: number };
      const { ours, frame, spots, first } = await buyer.evaluate<Travelled>(travel(scale));
      // The benchmark judges the time (bench/viewers/picker.ts). Here it depends on everything else that runs.
      console.log(
        `scale ${scale}: ${spots} seats drawn, ${ours.toFixed(1)} ms of script, ${frame.toFixed(0)} ms a frame (medians)`,
      );
      expect(spots).toBeLessThan(30_000);
      expect(spots > 0).toBe(scale > 0.06);
      // Seats that come into view for the first time are made over several frames.
      if (scale === 0.28) expect([first < 4_000, spots > 4_000]).toEqual([true, true]);
    }
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  /** Pans and zooms for some frames around a scale. */
  function travel(scale: number): string {
    return `(async () => {
      const { view } = document.querySelector('parterre-map').map;
      const { width, height } = view.size;
      view.look({ scale: ${scale}, x: width / 2 - 4100 * ${scale}, y: height / 2 - 300 * ${scale} });
      const next = () => new Promise(requestAnimationFrame);
      await next();
      const first = view.drawn.spots;
      const [ours, frames] = [[], []];
      let last = await next();
      for (let i = 0; i < 8; i++) {
        view.panBy(i % 4 < 2 ? 11 : -11, 3);
        view.zoomAt(i % 2 ? 1.01 : 1 / 1.01, { x: width / 2, y: height / 2 });
        const now = await next();
        frames.push(now - last);
        ours.push(view.drawn.ms);
        last = now;
      }
      const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
      return { ours: median(ours), frame: median(frames), spots: view.drawn.spots, first };
    })()`;
  }
});
