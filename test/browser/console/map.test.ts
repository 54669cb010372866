/**
 * The live map of the console: choosing, acting on the chosen places, two operators at once, and the card of a place.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, type Json } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('the live map of the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['owner', 'viewer']);
  });

  const objectsOf = async (key: string): Promise<Record<string, string>> =>
    (await theatre.call('GET', `/events/${key}/objects`)).seats;

  const open = async (address: string, looks = {}, role = 'owner'): Promise<Page> => {
    const page = await theatre.open(role, address, { viewport: { width: 1_280, height: 900 }, ...looks });
    await page.locator('.hall canvas').first().waitFor();
    return page;
  };
  const chosen = (page: Page, text: string) => page.getByRole('heading', { name: text }).waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('tells a change of another place within a second, without reading the whole map again', async () => {
    const key = await theatre.makeEvent('Live');
    const page = await open(`#/test/all/event/${key}/map?seats=A-1,A-2`);
    await chosen(page, '2 places are chosen');
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/objects')) reads++;
    });
    await theatre.call('POST', `/events/${key}/hold`, { labels: ['A-1'] });
    const since = Date.now();
    await page.getByRole('listitem').filter({ hasText: 'A-1' }).filter({ hasText: 'held' }).waitFor();
    expect(Date.now() - since).toBeLessThan(5_000);
    await theatre.call('POST', `/events/${key}/reservations`, {
      labels: ['A-2'],
      name: 'School 7',
      until: Date.now() + 9e7,
    });
    await button(page, 'School 7').waitFor();
    expect(reads).toBe(0);
    await theatre.call('DELETE', `/events/${key}`);
    await page.getByRole('alert').filter({ hasText: 'This event was deleted' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('chooses by list, kind, box between seats, search, row and section, all by keyboard', async () => {
    const key = await theatre.makeEvent('Choose');
    await theatre.call('POST', `/events/${key}/book`, { labels: ['B-1'], bookingRef: 'order-1' });
    const page = await open(`#/test/all/event/${key}/map`);
    await page.getByText('By a list of labels').click();
    await page.getByLabel('Labels, one a line').fill('a-1, A-2\nZ-99');
    await button(page, 'Choose the list').click();
    await chosen(page, '2 places are chosen');
    await page.getByRole('alert').filter({ hasText: 'Z-99' }).waitFor();
    expect(await page.getByLabel('Labels, one a line').inputValue()).toBe('Z-99');
    await page.getByText('All places between two seats').click();
    await page.getByLabel('From seat').fill('A-1');
    await page.getByLabel('To seat').fill('B-3');
    await button(page, 'Choose the box').click();
    await chosen(page, '6 places are chosen');
    await page.getByLabel('By status, category or section').selectOption({ label: 'booked' });
    await button(page, 'Keep only these').click();
    await chosen(page, '1 place is chosen');
    await button(page, 'None').click();
    await chosen(page, 'Nothing is chosen');
    await page.getByLabel('Choose a seat by its label').fill('row c');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Choose all \d+$/ }).click();
    await chosen(page, '12 places are chosen');
    await page.getByText('Places as a list').press('Enter');
    const list = page.locator('.place-list');
    await list.locator('.opener').first().press('Enter');
    await list.getByRole('button', { name: 'Row D' }).first().press('Enter');
    await list.getByRole('button', { name: 'Row D, seat 1, free' }).press('Enter');
    await list.getByRole('button', { name: 'Row D, seat 4, free' }).press('Shift+Enter');
    await chosen(page, '16 places are chosen');
    await list.getByRole('button', { name: 'Choose all of Row D' }).press('Enter');
    await chosen(page, '24 places are chosen');
    expect(await axeFaults(page)).toEqual([]);
    await page.reload();
    await chosen(page, '24 places are chosen');
    await page.close();
  });

  test('chooses on the map by click, with Shift, by box and by loop', async () => {
    const key = await theatre.makeEvent('Pointer');
    const page = await open(`#/test/all/event/${key}/map`);
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    const box = (await page.locator('.hall').boundingBox())!;
    const drag = async (tool: string): Promise<void> => {
      await button(page, tool).click();
      await page.mouse.move(box.x + 4, box.y + 4);
      await page.mouse.down();
      for (const [x, y] of [
        [0.99, 0],
        [0.99, 0.99],
        [0, 0.99],
      ] as const) {
        await page.mouse.move(box.x + 4 + x * (box.width - 8), box.y + 4 + y * (box.height - 8), { steps: 8 });
      }
      if (tool === 'Box') await page.mouse.move(box.x + box.width - 4, box.y + box.height - 4);
      await page.mouse.up();
    };
    await drag('Box');
    const heading = page.locator('#chosen');
    await heading.filter({ hasText: /\d\d places are chosen/ }).waitFor();
    const all = await heading.textContent();
    await button(page, 'None').click();
    await drag('Loop');
    await heading.filter({ hasText: all! }).waitFor();
    await page.close();
  });

  test('blocks with a reason and a time, tells refused places of another operator, and undoes it', async () => {
    const key = await theatre.makeEvent('Block');
    await theatre.call('POST', `/events/${key}/book`, { labels: ['A-4'], bookingRef: 'order-4' });
    const page = await open(`#/test/all/event/${key}/map?seats=A-1,A-2,A-3,A-4`);
    await button(page, 'Block…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 places are taken off sale.').waitFor();
    await dialog.getByText('1 is booked').waitFor();
    await dialog.getByLabel('Reason').fill('Press');
    await dialog.getByLabel('in the time of Europe/Vienna').fill('2030-06-01T20:00');
    expect(await axeFaults(page)).toEqual([]);
    // Another operator is faster, and this page has not heard of it yet.
    await page.route(
      '**/block',
      async (route) => {
        await theatre.call('POST', `/events/${key}/hold`, { labels: ['A-2'] });
        await route.continue();
      },
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Block' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else was faster' }).waitFor();
    await dialog.getByText('2 places are taken off sale.').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Press');
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByText('2 places are blocked.').waitFor();
    await page.getByRole('alert').filter({ hasText: 'refused' }).filter({ hasText: 'A-2' }).waitFor();
    expect(await objectsOf(key)).toEqual({ 'A-1': 'blocked', 'A-2': 'held', 'A-3': 'blocked', 'A-4': 'booked' });
    const { entries } = await theatre.call('GET', `/events/${key}/log?label=A-1`);
    expect(entries.map(({ action, reason }: Json) => [action, reason])).toEqual([['block', 'Press']]);
    expect(entries[0].details.releaseAt).toBe(Date.UTC(2030, 5, 1, 18));
    expect(await axeFaults(page)).toEqual([]);
    await button(page, 'Undo').click();
    await page.getByText('Undone.').waitFor();
    expect(await objectsOf(key)).toEqual({ 'A-2': 'held', 'A-4': 'booked' });
    await page.close();
  });

  test('ends a hold with a reason, and shows the card of a place with its holder and its history', async () => {
    const key = await theatre.makeEvent('Card');
    await theatre.call('POST', `/events/${key}/hold`, { labels: ['A-1', 'A-2'] });
    const page = await open(`#/test/all/event/${key}/map?seats=A-1`, { colorScheme: 'dark' });
    const card = page.locator('.seat-card');
    await card.getByText('Held until').waitFor();
    await card.getByText('2 places: A-1 and A-2').waitFor();
    await card.getByRole('listitem').filter({ hasText: 'Held' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await button(page, 'End holds…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The buyer has left');
    await dialog.getByRole('button', { name: 'End the holds' }).click();
    await page.getByText('1 place is free again.').waitFor();
    await card.getByText('Hold ended by an operator').waitFor();
    await theatre.call('POST', `/events/${key}/book`, { labels: ['A-1'], bookingRef: 'order-9' });
    await card.getByRole('link', { name: 'order-9' }).waitFor();
    await page.close();
  });

  test('changes a category and tables, each with its undo, and leads to the sections', async () => {
    const key = await theatre.makeEvent('Change');
    const page = await open(`#/test/all/event/${key}/map?seats=A-1,Table+1`);
    await button(page, 'Category…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New category').waitFor();
    const options = await dialog.getByLabel('New category').locator('option').allTextContents();
    await dialog.getByLabel('New category').selectOption(options.at(-1)!);
    await dialog.getByText(`${options.at(-1)} costs`).waitFor();
    await dialog.getByRole('button', { name: 'Change the category' }).click();
    await page.getByText(`2 places are in ${options.at(-1)} now.`).waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Undone.').waitFor();
    await button(page, 'Close').first().click();
    await button(page, 'Tables…').click();
    await dialog.getByLabel('Sold').selectOption('individual');
    await dialog.getByRole('button', { name: 'Change the tables' }).click();
    await page.getByText('1 table is sold in another way now.').waitFor();
    await page.locator('#whole').waitFor();
    await button(page, 'Undo').click();
    await page.getByText('Undone.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open and close sections' }).click();
    await page.getByRole('row', { name: /^Stalls section Open/ }).waitFor();
    await page.close();
  });

  test('asks for no frames while another tab is open, and shows the chart of now when it comes back', async () => {
    const key = await theatre.makeEvent('Away', { chartId: await theatre.makeChart() });
    const page = await open(`#/test/all/event/${key}/map`);
    await page.getByRole('link', { name: 'Sale', exact: true }).click();
    await page.getByText('Buyers can buy now.').waitFor();
    const { meta } = await theatre.call('GET', `/events/${key}`);
    const { meta: chart, doc } = await theatre.call('GET', `/charts/${meta.chartId}`);
    doc.objects.find(({ id }: Json) => id === 'standing').label = 'Pit';
    await theatre.call('PUT', `/charts/${chart.id}`, { doc, expectedUpdatedAt: chart.updatedAt });
    await Promise.all([
      page.waitForResponse((answer) => answer.url().includes(`/events/${key}/chart`)),
      theatre.call('POST', `/charts/${chart.id}/publish`, {}),
    ]);
    const frames = await page.evaluate(`new Promise((resolve) => {
      let count = 0;
      const ask = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (then) => { count++; return ask(then); };
      let left = 60;
      const next = () => (left-- > 0 ? ask(next) : resolve(count));
      next();
    })`);
    expect(frames).toBeLessThan(20);
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByLabel('Choose a seat by its label').fill('Pit');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Pit' }).first().waitFor();
    await page.close();
  });

  test('unblocks all places on a narrow page in German, and offers a viewer no act', async () => {
    const key = await theatre.makeEvent('All');
    await theatre.call('POST', `/events/${key}/block`, { labels: ['A-1', 'A-2'] });
    const page = await open(`#/test/all/event/${key}/map`, { locale: 'de', viewport: { width: 320, height: 700 } });
    await button(page, 'Alles freigeben…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Alles freigeben' }).click();
    await page.getByText('2 Plätze sind wieder im Verkauf.').waitFor();
    expect(await objectsOf(key)).toEqual({});
    const wide = `[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)`;
    expect(await page.evaluate(`${wide}.map((each) => each.className || each.tagName)`)).toEqual([]);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
    const viewer = await open(`#/test/all/event/${key}/map?seats=A-1`, {}, 'viewer');
    await viewer.locator('.seat-card').waitFor();
    await expect.poll(() => button(viewer, 'Block…').count()).toBe(0);
    await viewer.close();
  });
});
