/** The control room in a real browser: figures of a sale, a server that is silent, roles, languages and sizes. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('the control room', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  let eventKey = '';

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['viewer']);
    eventKey = await theatre.makeEvent('Gala', { timezone: 'Asia/Tokyo' });
    const { holdId } = await act('hold', { labels: ['A-1', 'A-2'] });
    await act('book', { holdId, bookingRef: 'order-1' });
    await act('hold', { labels: ['B-1'] });
  });
  const act = (action: string, body: object) => theatre.call('POST', `/events/${eventKey}/${action}`, body);

  const open = async (looks = {}): Promise<Page> => {
    const page = await theatre.open('viewer', `#/test/all/event/${eventKey}/wall`, looks);
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
    // A front door that has just forgotten its events, since announcements were missed, does not count a refusal.
    const faster = rowOf(page, 'Refusals', 'Somebody else was faster');
    const refuseAndCount = async () => {
      await expect(act('hold', { labels: ['A-1'] })).rejects.toThrow('409');
      return faster.count();
    };
    await expect.poll(refuseAndCount, { interval: 1_000 }).toBe(1);
    await page.getByText('2 places, up to').waitFor();
    await expect.poll(() => page.locator('.graph canvas').count()).toBe(1);
    await act('book', { labels: ['C-1'], bookingRef: 'order-2' });
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
