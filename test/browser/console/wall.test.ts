/** The control room in a real browser: figures of a sale, a server that is silent, roles, languages and sizes. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, type Json } from '../box-office.ts';

const password = 'a long enough password';

describeInBrowser('the control room', { timeout: 90_000 }, (office) => {
  let email = '';
  let eventKey = '';
  let call: (method: string, path: string, body?: object) => Promise<Json>;
  const admin = async (path: string, body: object): Promise<Json> => {
    const headers = { Authorization: `Bearer ${office.parterre.rootToken}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${office.parterre.url}/v1/admin${path}`, init)).json();
  };

  beforeAll(async () => {
    const { organisation } = await admin('/organisations', { name: 'Civic theatre', currency: 'EUR', credits: 10 });
    email = `wall-${organisation.id}@theatre.example`;
    await admin(`/organisations/${organisation.id}/users`, { email, password, role: 'viewer' });
    const keys = `/organisations/${organisation.id}/keys`;
    const { secret } = await admin(keys, { kind: 'secret', mode: 'test', origins: [] });
    call = async (method, path, body) => {
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${office.parterre.url}/v1${path}`, init)).json();
    };
    const doc = demoTheatre();
    const { meta: chart } = await call('POST', '/charts', { name: doc.name, doc });
    await call('POST', `/charts/${chart.id}/publish`, {});
    const { meta } = await call('POST', '/events', { chartId: chart.id, name: 'Gala', timezone: 'Asia/Tokyo' });
    eventKey = meta.key;
    const { holdId } = await call('POST', `/events/${eventKey}/hold`, { labels: ['A-1', 'A-2'] });
    await call('POST', `/events/${eventKey}/book`, { holdId, bookingRef: 'order-1' });
    await call('POST', `/events/${eventKey}/hold`, { labels: ['B-1'] });
    await call('POST', `/events/${eventKey}/hold`, { labels: ['A-1'] });
  });

  const open = async (looks = {}): Promise<Page> => {
    const page = await office.newPage(looks);
    await page.goto(`${office.parterre.url}/console#/test/all/event/${eventKey}/wall`);
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('.wall-numbers').waitFor();
    return page;
  };
  const figure = (page: Page, name: string) =>
    page
      .locator('.wall-numbers div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');
  const rowOf = (page: Page, part: string, name: string) =>
    page.getByRole('region', { name: part }).getByRole('row').filter({ hasText: name });

  test('shows what was sold, held and refused, and follows the sale', async () => {
    const page = await open();
    await page.getByRole('status').filter({ hasText: 'Live at' }).waitFor();
    await expect.poll(() => figure(page, 'Sold').textContent()).toContain('2');
    expect(await figure(page, 'Value sold').textContent()).toContain('€');
    await rowOf(page, 'From holds to bookings', 'Booked').filter({ hasText: '2' }).waitFor();
    await rowOf(page, 'Refusals', 'Somebody else was faster').waitFor();
    await page.getByText('2 places, up to').waitFor();
    expect(await page.locator('.graph canvas').count()).toBe(1);
    await call('POST', `/events/${eventKey}/book`, { labels: ['C-1'], bookingRef: 'order-2' });
    await expect.poll(() => figure(page, 'Sold').textContent()).toContain('3');
    await page.getByText('As a table').click();
    await page.getByRole('columnheader', { name: 'Minute', exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('says how old its figures are while the server is silent, and wakes again by itself', async () => {
    const page = await open();
    await page.getByRole('status').filter({ hasText: 'Live at' }).waitFor();
    await page.route('**/control-room/live*', (route) => route.abort());
    await page.getByRole('status').filter({ hasText: 'Old figures' }).waitFor();
    expect(await figure(page, 'Sold').textContent()).toContain('3');
    expect(await axeFaults(page)).toEqual([]);
    await page.unroute('**/control-room/live*');
    await page.evaluate(`window.dispatchEvent(new Event('online'))`);
    await page.getByRole('status').filter({ hasText: 'Live at' }).waitFor();
    await page.close();
  });

  test('fills the screen, and stays within a narrow one, in German and Arabic', async () => {
    const page = await open({ locale: 'de', viewport: { width: 320, height: 700 } });
    await page.getByRole('heading', { name: 'Ablehnungen' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Vollbild' }).click();
    await page.getByRole('button', { name: 'Vollbild verlassen' }).click();
    await page.getByRole('button', { name: 'Vollbild', exact: true }).waitFor();
    await page.close();
    const arabic = await open({ locale: 'ar' });
    await arabic.getByRole('heading', { name: 'الطلبات المرفوضة' }).waitFor();
    expect(await axeFaults(arabic)).toEqual([]);
    await arabic.close();
  });

  test('says so when the event is deleted under the page', async () => {
    const page = await open();
    await page.route('**/control-room/live*', (route) =>
      route.fulfill({ status: 404, json: { code: 'not_found', message: 'Gone.' } }),
    );
    await page.getByRole('status').filter({ hasText: 'not there any more' }).waitFor();
    await page.close();
  });
});
