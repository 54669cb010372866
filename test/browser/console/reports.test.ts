/** Reports and the door list in a real browser. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, faultsOf } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('reports of an event', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  let event: string;

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['manager', 'door']);
    event = await theatre.makeEvent('Gala');
    await theatre.call('POST', `/events/${event}/book`, { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
    await theatre.call('POST', `/events/${event}/book`, { labels: ['H-3'], bookingRef: '<i>order</i>' });
    await theatre.call('POST', `/events/${event}/unbook`, { labels: ['A-2'], bookingRef: 'order-1' });
  });

  test('are by category and by section, of now and of a span, and the address keeps it', async () => {
    const page = await theatre.open('manager', `#/test/all/event/${event}/reports`);
    const faults = faultsOf(page);
    await page.getByRole('row', { name: 'Premium' }).getByRole('cell', { name: '€60' }).waitFor();
    await page
      .getByRole('img', { name: /Places sold over time/ })
      .locator('canvas')
      .waitFor();
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('section');
    await page
      .getByRole('row', { name: /Stalls/ })
      .first()
      .waitFor();
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Vienna' }).format(Date.now());
    await page.getByLabel('Sold from').fill(today);
    const stalls = page.getByRole('row', { name: /Stalls/ });
    await expect.poll(() => stalls.getByRole('cell').first().innerText()).toBe('3');
    await expect.poll(() => stalls.getByRole('cell').nth(1).innerText()).toBe('1');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Cancelled since' }).waitFor();
    await page.getByLabel('Sold from').fill('2099-01-01');
    await page.getByText('Nothing to show.').first().waitFor();
    await page.getByRole('button', { name: 'The whole time' }).click();
    await page.getByText('The same as a table').click();
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'This table as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${event}-section.csv`);
    const [places] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'All places as CSV' }).click(),
    ]);
    expect(places.suggestedFilename()).toBe(`${event}-report.csv`);
    await page.close();
  });

  test('say so where they cannot be read, and are read again', async () => {
    const page = await theatre.open('manager', `#/test/all/event/${event}/map`);
    await page.route('**/report', (route) => route.abort());
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('alert').filter({ hasText: 'The report cannot be read.' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.unroute('**/report');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Over time' }).waitFor();
    await page.close();
  });

  test('fit a narrow dark page in German', async () => {
    const looks = { viewport: { width: 320, height: 700 }, colorScheme: 'dark', locale: 'de' } as const;
    const page = await theatre.open('door', `#/test/all/event/${event}/reports`, looks);
    await page.getByRole('heading', { name: 'Im Verlauf' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('the door list is searched, sorted and printed', async () => {
    const page = await theatre.open('door', `#/test/all/event/${event}/door`);
    const faults = faultsOf(page);
    await page.getByRole('status').filter({ hasText: '2 places.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'The figures are from' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Place' }).click();
    await page.getByRole('button', { name: 'Place' }).click();
    await page.getByRole('row').nth(1).filter({ hasText: 'Row H, seat 3' }).waitFor();
    await page.getByRole('searchbox').fill('order-1');
    await page.getByRole('status').filter({ hasText: '1 place.' }).waitFor();
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the saved door list works without a connection and after a reload', async () => {
    const page = await theatre.open('door', `#/test/all/event/${event}/door`);
    const save = page.getByRole('button', { name: 'Save for use without a connection' });
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(file.suggestedFilename()).toMatch(/^door-.*Z\.html$/);
    const path = join(tmpdir(), file.suggestedFilename());
    await file.saveAs(path);
    await page.close();
    const saved = await office.newPage({ offline: true });
    const asked: string[] = [];
    saved.on('request', (request) => asked.push(request.url()));
    await saved.goto(`file://${path}`);
    await saved.reload();
    await saved.getByText('The figures are from').waitFor();
    await saved.getByRole('cell', { name: '<i>order</i>', exact: true }).waitFor();
    await saved.getByRole('searchbox').fill('seat order-1');
    await saved.getByRole('status').filter({ hasText: '1 of 2 places, 0 in' }).waitFor();
    await saved.getByRole('checkbox', { name: 'In: order-1, Row A, seat 1' }).check();
    await saved.reload();
    await saved.getByRole('status').filter({ hasText: '2 of 2 places, 1 in' }).waitFor();
    expect(await axeFaults(saved)).toEqual([]);
    expect(asked.filter((address) => !address.startsWith('file:'))).toEqual([]);
    await saved.close();
    await rm(path);
  });

  test('the door list that is open stays through a lost connection', async () => {
    const page = await theatre.open('door', `#/test/all/event/${event}/door`);
    await page.getByRole('status').filter({ hasText: '2 places.' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('alert').filter({ hasText: 'The server does not answer. The figures are from' }).waitFor();
    await page.getByRole('searchbox').fill('order-1');
    await page.getByRole('alert').filter({ hasText: '1 place.' }).waitFor();
    await page.close();
  });
});
