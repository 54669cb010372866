/** Bookings in the console: found, read, exchanged, swapped, offered for resale and cancelled, and nothing twice. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, type Json } from '../box-office.ts';
import { makeTheatre, type Theatre, theatreWithFee } from './theatre.ts';

describeInBrowser('the bookings', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  let chartId: string;

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['owner', 'box_office', 'viewer']);
    chartId = await theatre.makeChart(theatreWithFee());
  }, 60_000);

  const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  const openBooking = async (bookingRef: string, labels: string[], more = '') => {
    const event = await theatre.openEvent({ chartId });
    await event.post('book', { labels, bookingRef });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/bookings/${bookingRef}${more}`);
    await page.getByRole('heading', { name: bookingRef }).waitFor();
    return { event, page };
  };

  test('are found by reference, seat and buyer, read page by page, and a place tells who has it', async () => {
    const doc = theatreWithFee();
    doc.objects.find(({ id }: Json) => id === 'standing').capacity = 260;
    const event = await theatre.openEvent({ chartId: await theatre.makeChart(doc) });
    for (let from = 0; from < 230; from += 23) {
      const refs = Array.from({ length: 23 }, (_, nth) => `web-${from + nth}`);
      await Promise.all(
        refs.map((bookingRef) => event.post('book', { selections: [{ label: 'Standing' }], bookingRef })),
      );
    }
    await event.post('book', { labels: ['A-1'], bookingRef: 'desk-1', buyerRef: 'guest-77' });
    await event.post('hold', { labels: ['A-3', 'A-4'], buyerRef: 'guest-9' });
    const page = await theatre.open('box_office', `#/test/all/event/${event.key}/bookings`);
    await page.getByText('The newest 200 bookings').waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Bookings' }).getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('region', { name: 'Bookings' }).evaluate('document.querySelector(".rows").scrollTop = 1e6');
    await page.getByText('231 bookings').waitFor();
    for (const [search, found] of [
      ['web-22', 'web-229'],
      ['A-1', 'desk-1'],
      ['GUEST-77', 'desk-1'],
    ] as const) {
      await page.getByRole('searchbox').fill(search);
      await page.getByRole('link', { name: found, exact: true }).waitFor();
    }
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No booking matches.').waitFor();
    await page.goto(`${office.parterre.url}/console#/test/all/event/${event.key}/bookings?seats=A-1,A-3&q=desk`);
    await page.getByText(/In a basket of 2 places until .*1[45] minutes left/).waitFor();
    await page.getByText(/by a server with the key/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('listitem').filter({ hasText: 'Sold as' }).getByRole('link', { name: 'desk-1' }).click();
    await page.getByRole('heading', { name: 'desk-1' }).waitFor();
    await page.close();
  });

  test('are cancelled in part with the sum to pay back, taken back, and cancelled as a whole', async () => {
    const { event, page } = await openBooking('order-1', ['A-1', 'A-2', 'D-1']);
    await page.getByLabel('Choose Row A, seat 2').check();
    await page.getByRole('button', { name: 'Cancel 1 place…' }).click();
    await page.getByRole('dialog').getByText('The buyer paid €63').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel 1 place', exact: true }).click();
    await page.getByText('1 place is cancelled. To be paid back: €63.').waitFor();
    expect((await event.get('bookings/order-1')).booking.activeLabels).toEqual(['A-1', 'D-1']);
    await page.getByText('Cancelled in part', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('button', { name: 'Cancel 3 places…' }).click();
    await page.getByText('Cancel the whole booking of 3 places').waitFor();
    await page.getByRole('button', { name: 'Cancel 3 places', exact: true }).click();
    await page.getByText(/3 places are cancelled/).waitFor();
    expect((await event.get('bookings/order-1')).booking.state).toBe('cancelled');
    await page.close();
    const owner = await theatre.open('owner', `#/test/all/event/${event.key}/bookings/order-1`);
    await owner.getByText(theatre.emailOf('box_office')).first().waitFor();
    await owner.close();
  });

  /** The page hears of its address, and tells of it, before its next frame. */
  const nextFrames = (page: Page) =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

  /** The first point of the map at which a click changes this part of the address, and the label that it adds. */
  const pointOf = async (page: Page, part: 'places' | 'seats'): Promise<{ label: string; x: number; y: number }> => {
    const box = (await page.locator('.hall').boundingBox())!;
    const read = (): string[] => {
      const query = new URLSearchParams(new URL(page.url()).hash.split('?')[1] ?? '');
      return (query.get(part) ?? '').split(',');
    };
    for (let x = box.x + box.width * 0.3; x < box.x + box.width; x += 90) {
      for (let y = box.y + 20; y < box.y + box.height - 20; y += 13) {
        const before = read();
        await page.mouse.click(x, y);
        await nextFrames(page);
        const label = read().find((each) => each !== '' && !before.includes(each));
        if (label === undefined) continue;
        await page.mouse.click(x, y);
        return { label, x, y };
      }
    }
    throw new Error(`No place of the map changes ${part}.`);
  };

  test('exchange a seat that is dragged on the map, tell the difference first, and take it back', async () => {
    const row = Array.from({ length: 12 }, (_, seat) => `B-${seat + 1}`);
    const { event, page } = await openBooking('order-2', row);
    await page.getByRole('row', { name: /Row B, seat 12/ }).waitFor();
    await page.locator('.hall canvas').first().waitFor();
    const from = await pointOf(page, 'places');
    const to = await pointOf(page, 'seats');
    await page.goto(`${page.url().split('?')[0]}`);
    await nextFrames(page);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
    await page.getByText(`1 place comes: ${to.label}`).waitFor();
    await page.getByText(/Price difference: /).waitFor();
    expect((await event.get('bookings/order-2')).booking.activeLabels).toContain(from.label);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Exchange now' }).click();
    await page.getByText(`From ${from.label} to ${to.label}.`).waitFor();
    expect((await event.get('objects')).seats).toMatchObject({ [to.label]: 'booked' });
    expect((await event.get('objects')).seats[from.label]).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await event.get('objects')).seats[from.label]).toBe('booked');
    await page.close();
  });

  test('exchange by keyboard with a fee and a waiver, once, also when a colleague is faster or no answer comes', async () => {
    const { event, page } = await openBooking('order-3', ['A-1', 'A-2']);
    await page.getByLabel('Choose Row A, seat 2').press('Space');
    await page.getByRole('button', { name: 'Exchange' }).press('Enter');
    await page.getByLabel('New seats by their labels').fill('d-1');
    await page.keyboard.press('Enter');
    await page.getByText('The customer gets €23 back.').waitFor();
    await page.getByLabel(/^Fee for the exchange/).fill('5');
    await page.getByLabel('Waive the price difference').check();
    await page.getByLabel('Reason').fill('A pillar');
    await page.getByText('The customer pays €5.').waitFor();
    await event.post('book', { labels: ['D-1'], bookingRef: 'faster' });
    await page.getByRole('button', { name: 'Exchange now' }).press('Enter');
    await alert(page, 'Somebody else was faster');
    expect(await page.getByLabel('Reason').inputValue()).toBe('A pillar');
    await page.getByRole('button', { name: 'Leave 1 place out' }).press('Enter');
    await page.getByLabel('New seats by their labels').fill('d-2');
    await page.keyboard.press('Enter');
    await page.getByText('The customer pays €5.').waitFor();
    await page.route(
      '**/exchange',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Exchange now' }).press('Enter');
    await alert(page, 'The server did not answer.');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('The booking has Row D, seat 2 now. The customer pays €5.').waitFor();
    const { booking, activity } = await event.get('bookings/order-3');
    expect(booking.activeLabels).toEqual(['A-1', 'D-2']);
    expect(activity.map(({ action }: Json) => action)).toEqual(['reconcile', 'book']);
    expect(activity[0].exchange).toMatchObject({ fee: 5, waivedDifference: { amount: -23, reason: 'A pillar' } });
    await page.close();
  });

  test('move to another night, with the difference told before', async () => {
    const other = await theatre.openEvent({ chartId, name: 'Second night' });
    const { event, page } = await openBooking('order-4', ['A-1'], '?act=exchange');
    const nights = page.getByLabel('Event of the new places');
    await nights.focus();
    await nights.getByRole('option', { name: /Second night/ }).waitFor({ state: 'attached' });
    await nights.selectOption(other.key);
    expect(await page.getByLabel('Places there, by their labels').inputValue()).toBe('A-1');
    await page.getByLabel('Places there, by their labels').fill('D-1');
    await page.getByText('The customer gets €23 back.').waitFor();
    await page.getByRole('button', { name: 'Exchange now' }).click();
    await page.getByText(`To the event ${other.key}.`).waitFor();
    expect((await other.get('bookings/order-4')).booking.activeLabels).toEqual(['D-1']);
    expect((await event.get('bookings/order-4')).booking.state).toBe('cancelled');
    await page.close();
  });

  test('swap places with another booking, and back', async () => {
    const { event, page } = await openBooking('order-5', ['A-1'], '?act=swap');
    await event.post('book', { labels: ['D-1', 'D-2'], bookingRef: 'friend' });
    await page.getByLabel('Reference of the other booking').fill('nobody');
    await page.getByRole('button', { name: 'Find' }).click();
    await alert(page, 'There is no such booking.');
    await page.getByLabel('Reference of the other booking').fill('friend');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByLabel('Row D, seat 1').check();
    await page.getByRole('button', { name: 'Tell the price difference' }).click();
    await page.getByText('friend: price difference €23.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Swap now' }).click();
    await page.getByText('order-5 and friend have swapped places.').waitFor();
    expect((await event.get('bookings/order-5')).booking.activeLabels).toEqual(['D-1']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await event.get('bookings/order-5')).booking.activeLabels).toEqual(['A-1']);
    await page.close();
  });

  test('are offered for resale and taken back, but not while a buyer has them in a basket', async () => {
    const { event, page } = await openBooking('order-6', ['A-1', 'A-2']);
    await page.getByRole('button', { name: 'Offer for resale…' }).click();
    await page.getByRole('button', { name: 'Offer', exact: true }).click();
    await page.getByText('Offered for resale: A-1 and A-2').waitFor();
    const { holdId } = await event.post('hold', { labels: ['A-1', 'A-2'] });
    await page.getByRole('button', { name: 'Take the offer back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the offer back' }).click();
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await event.post('release', { holdId });
    await page.getByRole('dialog').getByRole('button', { name: 'Take the offer back' }).click();
    await page.getByText('2 places are no longer offered.').waitFor();
    await page.getByText('Offered for resale: A-1 and A-2').waitFor({ state: 'detached' });
    await page.close();
  });

  test('are only read by a viewer, and stand on a dark German telephone', async () => {
    const event = await theatre.openEvent({ chartId });
    await event.post('book', { labels: ['A-1'], bookingRef: 'order-7' });
    const address = `#/test/all/event/${event.key}/bookings/order-7`;
    const looks = { locale: 'de', colorScheme: 'dark', viewport: { width: 320, height: 700 } } as const;
    const page = await theatre.open('viewer', address, looks);
    await page.getByRole('heading', { name: 'Verlauf' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /stornieren|Umtauschen|Tauschen/ }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.close();
  });
});
