/**
 * WCAG 2.2 AA by axe-core in the states of the picker that a buyer meets seldom: a paused channel, a changed price,
 * lost places, a broken rule, a removed place, a filter, best seats that are not there, a group, the view from a seat.
 * Beside it: forced colours and more contrast on sale, chosen and sold out.
 */
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { pickerFaults, smallTargets } from '../axe-faults.ts';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { type Buyer, openPicker } from '../picker.ts';
import { type Contrast, colourSchemes, contrasts } from './pixels.ts';

const desktop = { width: 1440, height: 900 };
const map = `document.querySelector('parterre-map').map`;

/** In this state the picker has no fault. */
async function expectClean({ page }: Buyer, state: string): Promise<void> {
  expect(await pickerFaults(page), state).toEqual([]);
  expect(await smallTargets(page, 'parterre-map'), state).toEqual([]);
}

describeInBrowser('the picker is accessible', { timeout: 180_000 }, (office) => {
  const { addressOf, call, makeEvent, makeGroup, post, sellAll } = office;

  test('while a channel is paused', async () => {
    const event = await makeEvent();
    const { channel } = await post(`/v1/events/${event}/channels`, { name: 'Friends' });
    const path = `/v1/events/${event}/channels/${channel.id}`;
    const assigned = { targetChannelId: channel.id, labels: ['C-5', 'C-6'], assignmentVersion: 0 };
    await post(`/v1/events/${event}/channels/assignments`, assigned);
    const { url } = await post(`${path}/access-links`, { maxRedemptions: 3 });
    await post(`${path}/pause`, { reason: 'the sale starts later' });
    const buyer = await openPicker(office, url, desktop);
    await buyer.page.getByRole('region', { name: 'Sales to you are paused' }).waitFor();
    await expectClean(buyer, 'paused');
    await buyer.page.close();
  });

  test('after a changed price, a broken rule and a removed place', async () => {
    const selectionRules = { preventOrphans: true };
    const event = await makeEvent({ selectionRules });
    const buyer = await openPicker(office, addressOf(event), desktop);
    await buyer.clickSeat('D-2');
    await buyer.page.getByText('Row D, seat 1 would be left alone.').first().waitFor();
    await expectClean(buyer, 'broken rule');
    await buyer.button('Remove Row D, seat 2').click();
    await buyer.button('Undo').waitFor();
    await expectClean(buyer, 'removed');
    const standing = buyer.page.getByRole('group', { name: 'Standing', exact: true });
    await standing.getByRole('button', { name: 'One more' }).click();
    await buyer.page.locator('.total').filter({ hasText: '€15' }).waitFor();
    const offer = { name: 'Last call', price: 40, categoryKey: 'standing' };
    await call('PUT', `/v1/events/${event}/releases`, { releases: [offer] });
    await buyer.button('Hold it for me').click();
    await buyer.notice.filter({ hasText: 'The price has changed.' }).waitFor();
    await expectClean(buyer, 'changed price');
    await buyer.page.close();
  });

  test('while a filter is on, and when no best seats are there', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent()), desktop);
    await buyer.page.getByLabel('Price of the best seats').selectOption({ index: 1 });
    await buyer.button(/^Premium/).click();
    await buyer.button('Show all prices').waitFor();
    await expectClean(buyer, 'filter');
    await buyer.page.getByLabel('in wheelchair places').check();
    await buyer.button('Find and hold').click();
    await buyer.notice.waitFor();
    await expectClean(buyer, 'no best seats');
    await buyer.page.close();
  });

  test('when places were lost and can be got back', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event), desktop);
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    // The server’s word for the end is exchanged: a real end by time takes a minute.
    await buyer.page.route('**/hold/resume', (route) =>
      route.fulfill({ status: 404, json: { code: 'hold_not_found', status: 'expired' } }),
    );
    await post(`/v1/events/${event}/release`, { holdId: (await buyer.hold()).holdId });
    await buyer.page.getByRole('region', { name: 'Do you still want them?' }).waitFor();
    await expectClean(buyer, 'lost');
    await buyer.page.close();
  });

  test('of a group, before and after the hold', async () => {
    const { address, evenings } = await makeGroup();
    await post(`/v1/events/${evenings[1]}/hold`, { labels: ['C-5'] });
    const buyer = await openPicker(office, address, desktop);
    await buyer.page.getByText('Each place is for 2 performances').waitFor();
    await buyer.page.getByText('What the signs mean').click();
    await expectClean(buyer, 'group');
    await buyer.clickSeat('D-7');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await expectClean(buyer, 'held group');
    await buyer.page.close();
  });

  test.each(colourSchemes)(
    'a place that one performance lacks stands out from its floor by 3:1, %s',
    async (_, options) => {
      const { address, evenings } = await makeGroup();
      await post(`/v1/events/${evenings[1]}/hold`, { labels: ['C-5'] });
      const buyer = await openPicker(pagesWith(options), address, { width: 2000, height: 1400 });
      const contrast = async () => (await buyer.page.evaluate<Contrast>(contrasts(['C-5'])))['C-5'];
      await buyer.enter(/^Stalls/);
      await buyer.sees('C-5', /not available for Tuesday$/);
      await buyer.evaluate(`${map}.view.fit()`);
      expect(await contrast()).toBeGreaterThanOrEqual(3);
      await buyer.page.close();
    },
  );

  test.each(colourSchemes)('on sale, chosen, with the view from a seat, and sold out, %s', async (_, options) => {
    const doc = demoTheatre();
    for (const row of doc.objects as { id: string; viewFromSeatUrl?: string }[]) {
      if (row.id.startsWith('row-c-')) row.viewFromSeatUrl = '/no-such-picture.png';
    }
    const event = await makeEvent({ doc });
    const buyer = await openPicker(pagesWith(options), addressOf(event), desktop);
    await expectClean(buyer, 'on sale');
    await buyer.evaluate(`${map}.toggle(['C-4', 'H-1', 'H-2', 'Table 1'])`);
    await buyer.button('View from Row C, seat 4').click();
    await buyer.page.getByRole('dialog').getByText('The picture could not be loaded.').waitFor();
    await expectClean(buyer, 'view');
    await buyer.page.keyboard.press('Escape');
    await expectClean(buyer, 'chosen');
    await buyer.button('Clear').click();
    await sellAll(event);
    await buyer.page.getByRole('region', { name: 'Sold out' }).waitFor({ timeout: PATIENCE_MS });
    await expectClean(buyer, 'sold out');
    await buyer.page.close();
  });

  const pagesWith = (options: BrowserContextOptions) => ({
    newPage: (more: BrowserContextOptions = {}) => office.newPage({ ...more, ...options }),
  });
});
