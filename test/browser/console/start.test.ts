/** The first pages of the console: the list of events, their moves, and a new event, in every state. */
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('events in the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  let chartId: string;
  const make = (name: string, fields: object = {}) => theatre.makeEvent(name, { chartId, ...fields });
  beforeAll(async () => {
    theatre = await makeTheatre(office, ['owner', 'manager', 'viewer']);
    chartId = await theatre.makeChart();
  });

  test('counts live, filters in the address, sorts, and restores all of it', async () => {
    const key = await make('Gala', { timezone: 'Europe/Vienna', startsAt: Date.UTC(2027, 2, 1, 23, 30) });
    await make('Matinee', { startsAt: Date.UTC(2027, 5, 1) });
    const page = await theatre.open('viewer', '#/test/all/events');
    await page.getByRole('status').filter({ hasText: '2 events' }).waitFor();
    await theatre.call('POST', `/events/${key}/book`, { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
    const booked = page.getByRole('row').filter({ hasText: 'Gala' }).getByRole('cell', { name: '2', exact: true });
    await booked.waitFor();
    await page.getByRole('button', { name: 'Date' }).click();
    await page.getByRole('button', { name: 'Date' }).click();
    await page.getByRole('columnheader', { name: 'Date' }).and(page.locator('[aria-sort="descending"]')).waitFor();
    expect(await page.getByRole('row').nth(1).textContent()).toContain('Matinee');
    await page.getByLabel('From').fill('2027-03-02');
    await page.getByLabel('To', { exact: true }).fill('2027-03-31');
    await page.getByRole('status').filter({ hasText: '1 event' }).waitFor();
    await page.reload();
    await page.getByRole('status').filter({ hasText: '1 event' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/test/all/events?from=2027-03-02&to=2027-03-31&sort=date&down=1');
    await expect.poll(() => page.getByRole('link', { name: 'New test event' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Manage Gala' }).click();
    await page.getByRole('heading', { name: 'Gala', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('says what a move does, makes it, takes it back, and tells a refusal where another was faster', async () => {
    const key = await make('Premiere');
    await theatre.call('POST', `/events/${key}/hold`, { labels: ['B-1'] });
    const page = await theatre.open('manager', `#/test/all/events?event=${key}`);
    await page.getByText('Baskets that exist can still be paid').waitFor();
    await page.getByRole('button', { name: 'Close sales' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('1 place is in a basket at this moment.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await question.getByRole('button', { name: 'Close sales' }).click();
    await page.getByRole('log').getByText('The sales of “Premiere” are closed.').waitFor();
    await page.getByRole('cell', { name: 'Closed' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('row').filter({ hasText: 'Premiere' }).getByText('On sale').waitFor();
    await page.getByRole('button', { name: 'Close sales' }).click();
    await theatre.call('POST', `/events/${key}/close`, {});
    await question.getByRole('button', { name: 'Close sales' }).click();
    await question.getByRole('alert').filter({ hasText: 'This event is closed.' }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('checkbox').check();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“Premiere” is deleted.').waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Premiere' }).count()).toBe(0);
    await page.close();
  });

  test('makes a test event from a template with prices, and a copy of it without its date', async () => {
    const page = await theatre.open('manager', '#/test/all/new-event?template=theatre');
    await page.getByLabel('Name', { exact: true }).fill('Winter songs');
    await page.getByLabel('Begins').fill('2027-12-01T19:30');
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await page.getByLabel('Venue').fill('Small hall');
    await page.getByLabel('Prices with decimals, such as 12.50').check();
    const price = page.locator('input[name^="price."]').first();
    await expect.poll(() => price.inputValue()).toBe('85.00');
    await price.fill('12.50');
    await page.getByRole('button', { name: 'Create the test event' }).click();
    await page.getByText('There is no such time zone.').first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    await page.getByRole('button', { name: 'Create the test event' }).click();
    await page.getByRole('log').getByText('The test event “Winter songs” is made.').waitFor();
    const key = new URL(page.url()).hash.split('/')[4]!;
    const { meta } = await theatre.call('GET', `/events/${key}`);
    expect(meta).toMatchObject({
      name: 'Winter songs',
      mode: 'test',
      startsAt: Date.UTC(2027, 11, 1, 18, 30),
      timezone: 'Europe/Vienna',
      venue: 'Small hall',
      priceUnit: 'minor',
      ownership: 'platform',
    });
    const { doc } = await theatre.call('GET', `/charts/${meta.chartId}`);
    expect(doc.categories[0].price).toBe(1250);
    await page.goto(`${office.parterre.url}/console#/test/all/new-event?from=${key}`);
    await page.getByText('The copy takes along').waitFor();
    await page.getByText('It leaves out: date, key, sales').waitFor();
    await page.getByLabel('Begin with sales closed').check();
    await page.getByRole('button', { name: 'Create the test event' }).click();
    await page.getByRole('log').getByText('The test event “Winter songs (copy)” is made.').waitFor();
    const copy = (await theatre.call('GET', `/events/${new URL(page.url()).hash.split('/')[4]!}`)).meta;
    expect(copy).toMatchObject({ chartId: meta.chartId, venue: 'Small hall', startsAt: null, status: 'closed' });
    await page.close();
  });

  test('loses nothing that is typed when the session ends, and says that an event was deleted under the page', async () => {
    const page = await theatre.open('manager', `#/test/all/new-event?chart=${chartId}`);
    await page.getByLabel('Name', { exact: true }).fill('After the break');
    await page.getByLabel('Venue').fill('Courtyard');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create the test event' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await theatre.signIn(page, 'manager');
    await page.getByRole('log').getByText('The test event “After the break” is made.').waitFor();
    const key = new URL(page.url()).hash.split('/')[4]!;
    expect((await theatre.call('GET', `/events/${key}`)).meta.venue).toBe('Courtyard');
    await page.goto(`${office.parterre.url}/console#/test/all/events?event=${key}`);
    await page.getByRole('heading', { name: 'After the break' }).waitFor();
    await theatre.call('DELETE', `/events/${key}`);
    await page.getByRole('alert').filter({ hasText: 'Somebody may have deleted it.' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('marks the test mode, names the credits of a live event, and crosses no mode', async () => {
    const key = await make('Rehearsal');
    const page = await theatre.open('owner', '#/live/all/events');
    await page.getByText('There is no live event here yet.').waitFor();
    await page.getByRole('link', { name: 'New event from a chart' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'New live event' }).click();
    await page.getByRole('combobox', { name: /^Chart/ }).selectOption(chartId);
    await page.getByText('Your organisation has 10 credits.').waitFor();
    await page.getByText('A live event is on sale for real, at once.').waitFor();
    await page.goto(`${office.parterre.url}/console#/live/all/event/${key}/map`);
    await page.getByRole('alert').filter({ hasText: 'belong to the other mode' }).waitFor();
    const crossed = await page.evaluate(
      `fetch('/v1/events/${key}', { headers: { 'Parterre-Mode': 'live' } }).then((a) => a.json())`,
    );
    expect(crossed).toMatchObject({ code: 'mode_mismatch' });
    await expect.poll(() => page.getByText('Test mode. Nothing here is sold for real.').count()).toBe(0);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Test mode. Nothing here is sold for real.').waitFor();
    await page.getByRole('link', { name: 'Rehearsal' }).waitFor();
    expect(await page.title()).toContain('[Test]');
    await page.close();
  });

  test('keeps the last numbers while the server is away, and tells a list that never came', async () => {
    await make('Encore');
    const page = await theatre.open('viewer', '#/test/all/events');
    await page.getByRole('link', { name: 'Encore' }).waitFor();
    await page.route('**/v1/events?**', (route) => route.abort());
    await page.getByText('The server does not answer. The numbers are of').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Encore' }).count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'The events cannot be read.' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.unroute('**/v1/events?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Encore' }).waitFor();
    await page.close();
  });

  test('fits 320 pixels in the dark and in German, and tells a viewer of an empty house whom to ask', async () => {
    const empty = await makeTheatre(office, ['viewer']);
    const looks = { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'de-DE' } as const;
    const page = await empty.open('viewer', '#/test/ws_unknown/events', looks);
    await page.getByText('Inhaber und Leitung Ihrer Organisation legen Veranstaltungen an.').waitFor();
    await page.getByText('Testmodus. Hier wird nichts wirklich verkauft.').waitFor();
    expect(await page.getByLabel('Bereich').locator('option:checked').textContent()).toBe('Unbekannter Bereich');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });
});
