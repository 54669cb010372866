/** The counter of the console: people choose places, hold, sell, print, reserve, and lose nothing on the way. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre, theatreWithFee } from './theatre.ts';

describeInBrowser('the counter', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  let chartId: string;

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['box_office', 'viewer']);
    chartId = await theatre.makeChart(theatreWithFee());
  }, 60_000);

  const add = async (page: Page, labels: string): Promise<void> => {
    await page.getByLabel('Add seats by their labels').fill(labels);
    await page.keyboard.press('Enter');
  };
  const hold = (page: Page) => page.getByRole('button', { name: 'Hold and tell the price' }).click();
  const basket = (page: Page, places: string) => page.getByRole('heading', { name: `Basket of ${places}` }).waitFor();
  const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

  test('sells seats and places of an area with ticket types, prints the receipt, and takes the sale back', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter`);
    await add(page, 'a-1 a-2');
    await page.getByText('2 places are chosen.').waitFor();
    await page.getByLabel('Ticket type of A-2').selectOption({ label: 'Child' });
    await page.getByLabel('Standing', { exact: true }).fill('3');
    expect(await axeFaults(page)).toEqual([]);
    await hold(page);
    await basket(page, '5 places');
    await page.getByText(/Held for 1[45]:/).waitFor();
    await expect
      .poll(() => page.getByRole('row', { name: /Fees in the prices above: Service/ }).innerText())
      .toContain('€6');
    await expect.poll(() => page.getByRole('row', { name: /Sum with all fees/ }).innerText()).toContain('€141');
    await page.getByLabel('Ticket type of Row A, seat 1').selectOption({ label: 'Child' });
    await page.getByRole('button', { name: 'Sell for €111' }).waitFor();
    await page.getByRole('button', { name: 'Hold longer' }).click();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Booking reference').fill('desk-7');
    await page.getByLabel('Buyer reference').fill('guest-7');
    await page.getByLabel('Payment').selectOption({ label: 'Paid in cash' });
    await page.getByLabel('Note').fill('two programmes');
    await page.getByRole('button', { name: 'Sell for €111' }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('Paid in cash · two programmes').waitFor();
    await expect.poll(() => receipt.getByRole('row', { name: /Sum/ }).innerText()).toContain('€111');
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    expect(await receipt.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    const { booking, activity } = await event.get('bookings/desk-7');
    expect(booking).toMatchObject({ state: 'booked', buyerRef: 'guest-7', activeQuantity: 5, activeTotal: 111 });
    expect(activity).toMatchObject([{ action: 'book', source: 'operator', reason: 'Paid in cash · two programmes' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await event.get('bookings/desk-7')).booking.state).toBe('cancelled');
    await page.close();
  });

  test('tells who was faster, leaves the lost seat out, and keeps the others', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter?seats=B-1,B-2`);
    await page.getByText('2 places are chosen.').waitFor();
    await event.post('hold', { labels: ['B-2'] });
    await hold(page);
    await alert(page, 'Somebody else was faster');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Leave 1 place out' }).click();
    await hold(page);
    await basket(page, '1 place');
    expect((await event.get('objects')).seats).toEqual({ 'B-1': 'held', 'B-2': 'held' });
    await page.close();
  });

  test('sells once when the answer never comes', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter?seats=B-4`);
    await hold(page);
    await basket(page, '1 place');
    await page.getByLabel('Booking reference').fill('once-1');
    await page.route(
      '**/book',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: /^Sell for/ }).click();
    await alert(page, 'The server did not answer.');
    expect(await page.getByLabel('Booking reference').inputValue()).toBe('once-1');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    expect((await event.get('bookings/once-1')).activity).toHaveLength(1);
    await page.close();
  });

  test('a session that ends in the middle of a sale loses nothing, and the sale goes on', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter?seats=B-5`);
    await hold(page);
    await basket(page, '1 place');
    await page.getByLabel('Booking reference').fill('long-1');
    await page.getByLabel('Note').fill('row of friends');
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Sell for/ }).click();
    await page.getByText('Your session has ended.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await theatre.signIn(page, 'box_office');
    await page.getByRole('region', { name: 'Receipt' }).getByText('row of friends').waitFor();
    expect((await event.get('bookings/long-1')).activity).toHaveLength(1);
    await page.close();
  });

  test('finds its basket again after a reload and another tab, and tells when a colleague has ended it', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter?seats=C-1,C-2`);
    await hold(page);
    await basket(page, '2 places');
    await page.getByLabel('Note').fill('window side');
    await page.reload();
    await basket(page, '2 places');
    expect(await page.getByLabel('Note').inputValue()).toBe('window side');
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    await page.getByRole('link', { name: 'Counter' }).click();
    await basket(page, '2 places');
    await event.post('holds/end', { labels: ['C-1', 'C-2'], reason: 'The guest has left' });
    await page.getByRole('heading', { name: 'This basket is over' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hold the same places again' }).click();
    await basket(page, '2 places');
    await page.getByRole('button', { name: 'Give up' }).click();
    await page.getByRole('heading', { name: 'New sale' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await basket(page, '2 places');
    await page.close();
  });

  test('sells from a block with a reason, and while sales are closed', async () => {
    const event = await theatre.openEvent({ chartId });
    await event.post('block', { labels: ['G-1'], reason: 'Camera' });
    await event.post('close', {});
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter?seats=G-1,G-2`);
    await page.getByText('These places are not held before the sale').waitFor();
    await page.getByLabel('Reason').fill('The camera moved');
    await page.getByLabel('Ticket type of G-2').selectOption({ label: 'Child' });
    await page.getByRole('button', { name: 'Tell the price' }).click();
    await basket(page, '2 places');
    expect(await axeFaults(page)).toEqual([]);
    expect((await event.get('objects')).seats).toEqual({ 'G-1': 'blocked' });
    await page.getByLabel('Payment').selectOption({ label: 'Paid by card' });
    await page.getByRole('button', { name: 'Sell for €60' }).click();
    await page.getByRole('region', { name: 'Receipt' }).getByText('Paid by card').waitFor();
    expect((await event.get('log?limit=1')).entries[0]).toMatchObject({
      details: { fromBlock: ['G-1'], counter: true },
    });
    await page.close();
  });

  test('lets the event choose, tells when places are apart, and frees an abandoned basket', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter`);
    await page.getByText('Let the event choose the best places').click();
    await page.getByLabel('Number of places').fill('7');
    await page.getByLabel('Category').selectOption({ label: 'Premium' });
    await page.getByRole('button', { name: 'Hold the best places' }).click();
    await alert(page, 'not left side by side');
    expect((await event.get('objects')).seats).toEqual({});
    await page.getByLabel('Number of places').fill('2');
    await page.getByLabel('Category').selectOption({ label: 'Any' });
    await page.getByLabel('Wheelchair places among them').fill('1');
    await page.getByRole('button', { name: 'Hold the best places' }).click();
    await basket(page, '2 places');
    await page.getByRole('row', { name: /Row H, seat 1/ }).waitFor();
    await page.getByRole('button', { name: 'Give up' }).click();
    await event.post('hold', { labels: ['D-4', 'D-5'] });
    for (const label of ['H-1', 'H-2']) await page.getByRole('button', { name: `Leave ${label} out` }).click();
    await add(page, 'D-4');
    await page.getByRole('button', { name: 'Free 1 place of a basket…' }).click();
    await page.getByRole('dialog').getByLabel('Reason (for the log)').fill('Left');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Free the places' }).click();
    await page.getByText('1 place is free again.').waitFor();
    expect((await event.get('objects')).seats).toEqual({ 'D-5': 'held' });
    await page.close();
  });

  test('makes, changes, sells in part and ends a reservation, and takes the end back', async () => {
    const event = await theatre.openEvent({ chartId });
    const page = await theatre.open(
      'box_office',
      `#/test/all/event/${event.key}/counter?seats=E-1,E-2,E-3&part=reservations`,
    );
    await page.getByRole('button', { name: 'Reserve 3 chosen places…' }).click();
    await page.getByRole('dialog').getByLabel('For').fill('Class 4b');
    await page
      .getByRole('dialog')
      .getByLabel(/^Until/)
      .fill('2027-01-31T19:30');
    await page.getByRole('button', { name: 'Reserve', exact: true }).click();
    await page.getByRole('button', { name: 'Class 4b' }).click();
    const { reservations } = await event.get('reservations');
    expect(reservations).toMatchObject([{ name: 'Class 4b', until: Date.parse('2027-01-31T18:30Z') }]);
    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('Pays by invoice');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('Pays by invoice').waitFor();
    await page.getByRole('button', { name: 'End the reservation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the reservation' }).click();
    await page.getByText('3 places of Class 4b are free.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: 'Class 4b' }).click();
    await page.getByRole('button', { name: 'Sell', exact: true }).click();
    await page.getByRole('dialog').getByLabel('E-3').uncheck();
    await page.getByRole('dialog').getByLabel('Booking reference').fill('invoice-17');
    await page.getByRole('dialog').getByRole('button', { name: 'Sell' }).click();
    await page.getByText('2 places are sold as invoice-17.').waitFor();
    expect((await event.get('bookings/invoice-17')).booking.activeLabels).toEqual(['E-1', 'E-2']);
    expect((await event.get('reservations?state=active')).reservations[0].labels).toEqual(['E-3']);
    await page.close();
  });

  test('is not there for a viewer, and speaks German on a dark telephone', async () => {
    const event = await theatre.openEvent({ chartId });
    const viewer = await theatre.open('viewer', `#/test/all/event/${event.key}/map`);
    await viewer.getByRole('link', { name: 'Bookings' }).waitFor();
    await expect.poll(() => viewer.getByRole('link', { name: 'Counter' }).count()).toBe(0);
    await viewer.close();
    const looks = { locale: 'de', colorScheme: 'dark', viewport: { width: 320, height: 700 } } as const;
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/counter?seats=A-1,A-2`, looks);
    await page.getByRole('button', { name: 'Festhalten und Preis zeigen' }).click();
    await page.getByRole('heading', { name: 'Warenkorb mit 2 Plätzen' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.close();
  });
});
