/**
 * The walk of docs/console-on-sale.md, step by step as the page tells it: an owner makes an event and a presale for a
 * club, puts the event on sale, sells at the counter, moves a guest to a wheelchair place, cancels two sales and saves
 * the door list. The tests are the chapters of the page and follow each other in one browser page.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { openPicker } from '../picker.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('the walk through an on-sale', { timeout: 60_000 }, (office) => {
  let theatre: Theatre;
  let page: Page;
  let link = '';

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['owner']);
    page = await office.newPage({ deviceScaleFactor: 2 });
  });
  afterAll(() => page.close());

  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const told = (text: string) => page.getByRole('log').getByText(text).waitFor();
  const isClean = async () => expect(await axeFaults(page)).toEqual([]);
  const setSaleStart = async (time: string): Promise<void> => {
    await tab('Sale');
    await button('Change: Beginning and end').click();
    await dialog().getByLabel('Sale begins').fill(time);
    await dialog().getByRole('button', { name: 'Change', exact: true }).click();
  };

  test('sign in, and make the event', async () => {
    await page.goto(`${office.parterre.url}/console`);
    await theatre.signIn(page, 'owner');
    await button('Test').click();
    await page.getByText('Test mode. Nothing here is sold for real.').waitFor();
    await isClean();
    await page.getByRole('link', { name: 'New test event' }).click();
    await page.getByRole('link', { name: 'From a template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Autumn gala');
    await page.getByLabel('Begins').fill('2030-10-16T19:30');
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    expect(await page.getByLabel('The counter and your own shop sell, exchange and cancel.').isChecked()).toBe(true);
    await page.getByLabel('Begin with sales closed').check();
    await isClean();
    await button('Create the test event').click();
    await told('The test event “Autumn gala” is made.');
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    // On a dense screen too, the whole hall is in sight.
    const widths = await page.evaluate(
      `[...document.querySelectorAll('.hall, .hall canvas:not(.minimap)')].map((part) => part.clientWidth)`,
    );
    expect(new Set(widths as number[]).size).toBe(1);
  });

  test('prepare the presale of the club', async () => {
    await tab('Channels');
    await button('New channel').click();
    await dialog().getByLabel('Name').fill('Friends of the theatre');
    await dialog().getByLabel('Letters on the map').fill('FR');
    await dialog().getByLabel('How its buyers come').selectOption('By links that we send');
    await dialog().getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('heading', { name: 'Friends of the theatre', exact: true }).waitFor();
    await page.getByText('Places as a list').click();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    await button('Choose all of Row A').click();
    await button('Choose all of Row B').click();
    await button('Put 39 places into Friends of the theatre').click();
    await told('39 places are now in Friends of the theatre.');
    await button('Own start').click();
    await dialog().getByLabel('Sale begins').fill('2026-01-12T10:00');
    await dialog().getByRole('button', { name: 'Own start' }).click();
    await page.getByText(/Sale begins Jan 12, 2026, 10:00/).waitFor();
    await button('New link').click();
    await dialog().getByLabel('Name of the link').fill('Newsletter');
    await dialog().getByLabel('Places for each buyer').fill('4');
    await isClean();
    await dialog().getByRole('button', { name: 'New link' }).click();
    link = await page.getByLabel('Address of the link').inputValue();
    expect(await page.getByLabel('Message to your guests').inputValue()).toContain(link);
    await button('I have it').click();
    await isClean();
  });

  test('set ten o’clock, put the event on sale, and try the link of the club', async () => {
    await setSaleStart('2030-09-09T10:00');
    await page.getByText('The event is closed. Buyers cannot buy.').waitFor();
    await tab('Events');
    await button('Manage Autumn gala').click();
    await button('Put on sale').click();
    await dialog().getByRole('button', { name: 'Put on sale' }).click();
    await told('“Autumn gala” is on sale.');
    await page.getByRole('link', { name: 'Autumn gala' }).click();
    await tab('Sale');
    await page.getByText(/The sale begins Sep 9, 2030, 10:00/).waitFor();
    await isClean();
    const member = await openPicker(office, link);
    await member.button('Find and hold').click();
    await member.timer.first().waitFor();
    await member.page.close();
    await tab('Channels');
    await page.getByRole('button', { name: 'Friends of the theatre 37 of 39 free' }).waitFor();
    await page.getByRole('button', { name: /Public sale/ }).click();
    await button('Show what its buyers see').click();
    await page.getByText('Its buyers see 507 free, 0 held, 0 sold and 39 not for sale.').waitFor();
    await isClean();
  });

  test('watch the beginning', async () => {
    await setSaleStart('');
    await page.getByText('Buyers can buy now.').waitFor();
    await tab('Control room');
    await page.getByText('2 places are held').waitFor();
    await isClean();
  });

  const sell = async (reference: string, labels: string, sum: string): Promise<void> => {
    await page.getByLabel('Add seats by their labels').fill(labels);
    await page.keyboard.press('Enter');
    await button('Hold and tell the price').click();
    await page.getByLabel('Booking reference').fill(reference);
    await page.getByLabel('Payment').selectOption('Paid by card');
    await button(`Sell for ${sum}`).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await button('New sale').click();
  };
  const openBooking = async (reference: string): Promise<void> => {
    await tab('Bookings');
    await page.getByRole('link', { name: reference, exact: true }).click();
    await page.getByRole('heading', { name: reference }).waitFor();
  };

  test('sell at the counter, and move a guest to a wheelchair place', async () => {
    await tab('Counter');
    await sell('desk-1', 'Stalls-E-9 Stalls-E-10', '€130');
    await sell('desk-2', 'Stalls-F-10 Stalls-F-11 Stalls-F-12', '€195');
    await sell('desk-3', 'Balcony-A-20', '€30');
    await isClean();
    await openBooking('desk-1');
    await button('Exchange').click();
    await page.getByLabel('New seats by their labels').fill('Stalls-M-13 Stalls-M-14 Stalls-Z-1');
    await page.keyboard.press('Enter');
    await page.getByText('The chart does not have: Stalls-Z-1.').waitFor();
    await page.getByText('The customer gets €40 back.').waitFor();
    await isClean();
    await button('Exchange now').click();
    await told('The booking has Row M, seat 13 and Row M, seat 14 now. The customer gets €40 back.');
    await page.getByText('From Stalls-E-9 and Stalls-E-10 to Stalls-M-13 and Stalls-M-14.').waitFor();
  });

  test('cancel one place of a sale, and a whole sale', async () => {
    await openBooking('desk-2');
    await page.getByLabel('Choose Row F, seat 12').check();
    await button('Cancel 1 place…').click();
    await dialog().getByText('The buyer paid €65').waitFor();
    await dialog().getByRole('button', { name: 'Keep the booking' }).waitFor();
    await isClean();
    await dialog().getByRole('button', { name: 'Cancel 1 place' }).click();
    await told('1 place is cancelled. To be paid back: €65.');
    await openBooking('desk-3');
    await button('Cancel 1 place…').click();
    await dialog().getByText('Cancel the whole booking of 1 place').waitFor();
    await dialog().getByRole('button', { name: 'Cancel 1 place' }).click();
    await told('1 place is cancelled. To be paid back: €30.');
    // The older notices are behind a press, and none covers the page.
    await expect.poll(() => page.getByRole('log').getByRole('button', { name: 'Undo' }).count()).toBe(1);
    await page.getByText(/\d earlier/).click();
    await told('To be paid back: €65.');
    await isClean();
  });

  test('save the door list', async () => {
    await tab('Door list');
    await page.getByText('4 places. 4 guests.').waitFor();
    await isClean();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button('Save for use without a connection').click(),
    ]);
    const saved = await readFile(await file.path(), 'utf8');
    for (const reference of ['desk-1', 'desk-2']) expect(saved).toContain(reference);
    expect(saved).not.toContain('desk-3');
  });
});
