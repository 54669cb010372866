/**
 * The panel beside the map: one price everywhere, one reason when nothing is sold, ways back, best seats, the list, and
 * the sheet of a phone.
 */
import { expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { pickerFaults } from './axe-faults.ts';
import { describeInBrowser, PATIENCE_MS } from './box-office.ts';
import { type Buyer, openPicker } from './picker.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describeInBrowser('the panel', { timeout: 180_000 }, (office) => {
  const { addressOf, call, makeEvent, sellAll } = office;

  test('goes on by “Continue” after a hold, which tells the shop; a removed seat comes back by “Undo”', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent()), desktop);
    await buyer.clickSeat('C-5');
    await buyer.clickSeat('C-6');
    await buyer.button('Remove Row C, seat 6').click();
    expect((await buyer.focused()).name).toBe('Undo');
    await buyer.hears(/^Row C, seat 6 removed. 1 place is left/);
    await buyer.page.keyboard.press('Enter');
    await buyer.button('Remove Row C, seat 6').waitFor();
    await buyer.button('Remove Row C, seat 6').click();
    await buyer.clickSeat('C-6');
    await buyer.clickSeat('C-7');
    await buyer.button('Remove Row C, seat 7').click();
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await expect.poll(() => buyer.button('Undo').count()).toBe(0);
    const told = buyer.evaluate<string[]>(`new Promise((resolve) => document.querySelector('parterre-map')
      .addEventListener('parterre-continue', ({ detail }) => resolve(detail.labels), { once: true }))`);
    await buyer.button('Continue').click();
    expect(await told).toEqual(['C-5', 'C-6']);
    // A shop's own button takes the place of “Continue”.
    await buyer.evaluate(`(() => {
      const pay = Object.assign(document.createElement('button'), { slot: 'continue', textContent: 'Pay now' });
      document.querySelector('parterre-map').append(pay);
    })()`);
    await buyer.button('Pay now').waitFor();
    await expect.poll(() => buyer.button('Continue').count()).toBe(0);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('names one price everywhere: few units of a ticket release, its name and the price before it', async () => {
    const event = await makeEvent();
    const early = { name: 'Early bird', price: 10, previousPrice: 15, quota: 3, categoryKey: 'standing' };
    await call('PUT', `/v1/events/${event}/releases`, { releases: [early] });
    const buyer = await openPicker(office, addressOf(event), desktop);
    const price = buyer.page.getByRole('region', { name: 'Prices' }).getByRole('button', { name: /^Standing/ });
    await expect.poll(() => price.textContent(), { timeout: PATIENCE_MS }).toMatch(/Early bird.*before.*€15.*€10/s);
    const more = buyer.page
      .getByRole('group', { name: 'Standing', exact: true })
      .getByRole('button', { name: 'One more' });
    for (let places = 0; places < 5; places++) await more.click();
    await buyer.page
      .locator('.chosen li')
      .filter({ hasText: /3 × €10.*2 × €15/ })
      .waitFor();
    await buyer.page.locator('.total').filter({ hasText: '€60' }).waitFor();
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await buyer.page.locator('.total').filter({ hasText: '€60' }).waitFor();
    await buyer.page.close();
  });

  test.each([
    ['desktop', desktop, false],
    ['phone', phone, true],
  ] as const)('tells prices with decimals, their fees and the price before on a %s', async (_, size, hasTouch) => {
    const doc = demoTheatre();
    const fees = [{ name: 'Service', amount: 150 }];
    const standard = { price: 1250, previousPrice: 1500, fees };
    const standing = { price: 2000, fees: [{ name: 'Facility', amount: 100 }], allIn: true };
    doc.categories = doc.categories.map(({ tiers: _, ...category }) => {
      return { ...category, price: 3000, ...{ standard, standing }[category.key] };
    });
    const event = await makeEvent({ doc: { ...doc, priceUnit: 'minor' } });
    const buyer = await openPicker(office, addressOf(event), size, hasTouch);
    const price = (name: RegExp) =>
      buyer.page.getByRole('region', { name: 'Prices' }).getByRole('button', { name }).textContent();
    const until = (read: () => Promise<string | null>) => expect.poll(read, { timeout: PATIENCE_MS });
    await until(() => price(/^Standard/)).toMatch(/before €15\.00.*€12\.50.*\+ €1\.50 fees/s);
    await until(() => price(/^Standing/)).toMatch(/€20\.00.*incl\. fees/s);
    if (hasTouch) await buyer.button('Prices and places').tap();
    const more = buyer.page
      .getByRole('group', { name: 'Standing', exact: true })
      .getByRole('button', { name: 'One more' });
    await more.click();
    await more.click();
    await buyer.evaluate(`document.querySelector('parterre-map').map.toggle(['G-3'])`);
    const row = (name: string) => buyer.page.locator('.chosen li').filter({ hasText: name });
    await row('Row G, seat 3').filter({ hasText: '€12.50 + Service €1.50' }).filter({ hasText: '€14.00' }).waitFor();
    await row('Standing').filter({ hasText: 'incl. Facility €2.00' }).filter({ hasText: '€40.00' }).waitFor();
    const total = buyer.page
      .locator('.checkout')
      .filter({ hasText: '€54.00' })
      .filter({ hasText: /incl\. (Service €1\.50|Facility €2\.00) and / });
    await total.waitFor();
    expect(await pickerFaults(buyer.page)).toEqual([]);
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await total.waitFor();
    await row('Row G, seat 3').filter({ hasText: '€12.50 + Service €1.50' }).waitFor();
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('keeps price and remove button in the basket beside a long ticket name', async () => {
    const doc = demoTheatre();
    const name = `Members of the society of friends of the theatre ${'and guests '.repeat(6)}`.trim();
    for (const category of doc.categories) if (category.tiers) category.tiers[0]!.name = name;
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc })), desktop);
    await buyer.clickSeat('C-5');
    const row = buyer.page.getByRole('region', { name: 'Your places' }).getByRole('listitem');
    for (const piece of [buyer.button('Remove Row C, seat 5'), row.getByText('€60', { exact: true })]) {
      const box = (await piece.boundingBox())!;
      expect(box.x).toBeGreaterThan(desktop.width - 360);
      expect(box.x + box.width).toBeLessThanOrEqual(desktop.width);
    }
    await buyer.page.close();
  });

  test('tells a channel’s price in row and menu, and special prices only at the places that have them', async () => {
    const doc = demoTheatre();
    const standard = [
      { id: 'adult', name: 'Adult', price: 40 },
      { id: 'wheel', name: 'Wheelchair', price: 10, applicability: { accessibility: ['wheelchair'] } },
      { id: 'helper', name: 'Companion', price: 5, restriction: 'companion' },
    ];
    Object.assign(doc.categories[1]!, { tiers: standard });
    const event = await makeEvent({ doc });
    const priceOverrides = [{ categoryKey: 'premium', tierId: 'adult', price: 45 }];
    const { channel } = await call('POST', `/v1/events/${event}/channels`, { name: 'Friends', priceOverrides });
    const assigned = { targetChannelId: channel.id, labels: ['C-5', 'C-6'], assignmentVersion: 0 };
    await call('POST', `/v1/events/${event}/channels/assignments`, assigned);
    const path = `/v1/events/${event}/channels/${channel.id}/access-links`;
    const buyer = await openPicker(
      office,
      (await call('POST', path, { maxRedemptions: 3, includePublic: true })).url,
      desktop,
    );
    const price = buyer.page.getByRole('region', { name: 'Prices' }).getByRole('button', { name: /^Standard/ });
    await expect.poll(() => price.innerText(), { timeout: PATIENCE_MS }).toMatch(/^Standard\s+€40$/);
    const places = buyer.page.getByRole('region', { name: 'Your places' });
    const tickets = (label: string) =>
      places.getByRole('combobox', { name: `Ticket for Row ${label.replace('-', ', seat ')}` });
    const menu = (label: string) => tickets(label).getByRole('option').allTextContents();
    for (const label of ['C-5', 'H-1', 'H-2', 'D-4']) await buyer.clickSeat(label);
    await places.getByRole('listitem').filter({ hasText: 'Row D, seat 4' }).waitFor();
    expect(await menu('C-5')).toEqual(['Adult · €45', 'Child · €30']);
    await places.getByRole('listitem').filter({ hasText: 'Row C, seat 5' }).getByText('€45', { exact: true }).waitFor();
    expect(await menu('H-1')).toEqual(['Adult · €40', 'Wheelchair · €10']);
    expect(await menu('H-2')).toEqual(['Adult · €40', 'Companion · €5']);
    await expect.poll(() => tickets('D-4').count()).toBe(0);
    await buyer.page.close();
  });

  test('says once that sales are closed, and that the event is sold out', async () => {
    const event = await makeEvent();
    const buyer = await openPicker({ newPage: office.newHurriedPage }, addressOf(event), desktop);
    await buyer.clickSeat('C-5');
    await call('POST', `/v1/events/${event}/close`, {});
    await buyer.button('Hold it for me').focus();
    await buyer.page.keyboard.press('Enter');
    await buyer.page.getByRole('region', { name: 'Sales are closed' }).waitFor();
    const standing = buyer.page.getByRole('region', { name: 'Areas without numbered seats' });
    await expect.poll(() => standing.innerText()).toMatch(/^Standing\s+not on sale now$/);
    await expect.poll(() => buyer.notice.count()).toBe(1);
    // Chromium takes the focus from a disabled button at the next frame.
    await buyer.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect((await buyer.focused()).name).toBe('Hold it for me');
    expect(await buyer.button('Hold it for me').isDisabled()).toBe(true);
    await call('POST', `/v1/events/${event}/reopen`, {});
    await buyer.reload();
    await sellAll(event);
    await buyer.page.getByRole('region', { name: 'Sold out' }).waitFor();
    await expect.poll(() => buyer.button('Find and hold').count()).toBe(0);
    await expect.poll(() => buyer.page.getByText('Choose places on the map').count()).toBe(0);
    const prices = buyer.page.getByRole('group', { name: 'Show only these prices' }).getByRole('button');
    expect(await prices.allInnerTexts()).toEqual([1, 2, 3].map(() => expect.stringMatching(/\sSold out$/)));
    await buyer.page.close();
  });

  test('without a socket, with a token that was set before the script, shows free places and follows the sale', async () => {
    const event = await makeEvent();
    const body = { includePublic: true, allowedOrigin: office.parterre.url };
    const { token } = await call('POST', `/v1/events/${event}/buyer-access-sessions`, body);
    const page = await office.newPage({ viewport: desktop });
    await page.routeWebSocket(/\/subscribe/, (socket) => socket.close());
    await page.route('**/bare', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><body><parterre-map event="${event}"></parterre-map><script type="module">
          document.querySelector('parterre-map').token = async () => '${token}';
          await import('/demo/parterre.js');</script></body></html>`,
      }),
    );
    await page.goto(`${office.parterre.url}/bare`);
    const list = page.getByRole('button', { name: 'List' });
    await list.click();
    await page
      .getByRole('button', { name: /^Stalls/ })
      .filter({ hasText: '96 free' })
      .waitFor();
    // The element has a height of its own.
    expect((await page.locator('parterre-map').boundingBox())!.height).toBeGreaterThan(400);
    await call('POST', `/v1/events/${event}/hold`, { labels: ['A-1', 'A-2'] });
    await page
      .getByRole('button', { name: /^Stalls/ })
      .filter({ hasText: '94 free' })
      .waitFor();
    await page.close();
  });

  test('lists places by section, row and seat, and finds a seat by its name', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event), desktop);
    await buyer.button('List').click();
    await buyer.button(/^Stalls/).click();
    await buyer.button(/^Row B/).click();
    // Others take the seat before the focused one, and then this seat itself.
    await buyer.button(/^Row B, seat 2, /).focus();
    await call('POST', `/v1/events/${event}/hold`, { labels: ['B-1'] });
    await buyer.button(/^Row B, seat 1, /).waitFor({ state: 'detached' });
    expect((await buyer.focused()).name).toMatch(/^Row B, seat 2, /);
    await call('POST', `/v1/events/${event}/hold`, { labels: ['B-2'] });
    await buyer.hears(/^Row B, seat 2, .*in somebody’s basket$/);
    expect((await buyer.focused()).name).toMatch(/^Row B, seat 3, /);
    await buyer.page.keyboard.press('Enter');
    await buyer.hears(/^Row B, seat 3 chosen/);
    await buyer.page.getByRole('searchbox', { name: 'Find a place' }).fill('c 5');
    await buyer.button(/^Row C, seat 5, /).click();
    expect(await buyer.chosen()).toEqual(['B-3', 'C-5']);
    await buyer.button('Map').click();
    await buyer.button(/^Premium/).click();
    await buyer.hears(/^Shown: Premium/);
    const pressed = buyer.page.getByRole('button', { name: /^Premium/, pressed: true });
    await pressed.waitFor();
    await buyer.button('Show all prices').click();
    await buyer.hears(/^Everything is shown/);
    await buyer.page.getByRole('combobox', { name: 'Highest price' }).selectOption({ label: 'up to €40' });
    await buyer.button('List').click();
    await buyer.page.getByRole('searchbox', { name: 'Find a place' }).fill('');
    // Five rows of twelve, and the two chosen seats.
    await buyer
      .button(/^Stalls/)
      .filter({ hasText: '62 free' })
      .waitFor();
    await expect.poll(() => buyer.button(/^Row A/).count()).toBe(0);
    await buyer.page.close();
  });

  test('finds and holds the best seats together', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent()), desktop);
    await buyer.page.getByRole('group', { name: 'Number of seats' }).getByRole('button', { name: 'One more' }).click();
    await buyer.page
      .getByRole('combobox', { name: 'Price of the best seats' })
      .selectOption({ label: 'Standard · €40' });
    await buyer.button('Find and hold').click();
    await buyer.timer.waitFor();
    const held = (await buyer.hold()).labels;
    expect(held).toHaveLength(3);
    expect(held.every((label) => label.startsWith('D-'))).toBe(true);
    await buyer.page.locator('.total').filter({ hasText: '€120' }).waitFor();
    await buyer.page.close();
  });

  test.each([
    ['on a desktop', desktop, false],
    ['on a phone', phone, true],
  ])(
    'takes a party by one press and back again, and offers three choices that hold nothing, %s',
    async (_, size, hasTouch) => {
      const buyer = await openPicker(office, addressOf(await makeEvent()), size, hasTouch);
      const { page } = buyer;
      const sheet = buyer.button('Prices and places');
      const turnSheet = async () => (hasTouch ? sheet.tap() : undefined);
      const press = (name: string | RegExp) => (hasTouch ? buyer.button(name).tap() : buyer.button(name).click());
      await turnSheet();
      const party = page.getByRole('region', { name: 'How many are you?' });
      const more = party.getByRole('group', { name: 'Number of people' }).getByRole('button', { name: 'One more' });
      for (let people = 2; people <= 4; people++) await more.click();
      await party.getByText('One press on a seat takes 4 together.').waitFor();
      await turnSheet();
      // The first tap of a finger zooms to small seats.
      if (hasTouch) await buyer.touch([await buyer.placeOf('C-5')]);
      if (hasTouch) await buyer.touch([await buyer.placeOf('C-5')]);
      else await buyer.clickSeat('C-5');
      await buyer.hears(/^Together: Row C, seat \d, .*4 chosen\.$/);
      const labels = await buyer.chosen();
      expect([labels.length, labels.includes('C-5')]).toEqual([4, true]);
      await turnSheet();
      expect(await pickerFaults(page)).toEqual([]);
      await press('Take the seats back');
      await expect.poll(() => buyer.chosen(), { timeout: PATIENCE_MS }).toEqual([]);
      await press('Show three choices');
      await buyer.hears(/^3 choices found\. Nothing is held yet\.$/);
      const choices = page.getByRole('list', { name: 'Show three choices' }).getByRole('button');
      expect([await choices.count(), await buyer.hold()]).toEqual([3, null]);
      expect(await pickerFaults(page)).toEqual([]);
      await choices.nth(1).click();
      await expect.poll(async () => (await buyer.chosen()).length, { timeout: PATIENCE_MS }).toBe(4);
      expect([await choices.count(), await buyer.hold()]).toEqual([0, null]);
      await page.close();
    },
  );

  test('says that a hold was released in another window, and trusts the server’s clock alone', async () => {
    const event = await makeEvent();
    const wrong = await office.browser.newContext({ viewport: desktop, reducedMotion: 'reduce' });
    await wrong.addInitScript('{ const right = Date.now; Date.now = () => right() + 3_600_000; }');
    wrong.setDefaultTimeout(PATIENCE_MS);
    const buyer = await openPicker(wrong, addressOf(event), desktop);
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await expect.poll(() => buyer.timer.textContent(), { timeout: PATIENCE_MS }).toMatch(/1[45]:\d\d/);
    const { holdId } = await buyer.hold();
    await call('POST', `/v1/events/${event}/release`, { holdId });
    await buyer.notice.filter({ hasText: 'You released these places in another window.' }).waitFor();
    await wrong.close();
  });

  test('is a sheet on a phone: closed it shows prices, total and one step, and refusals stay in sight', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event), phone, true);
    const details = buyer.button('Prices and places');
    expect(await details.getAttribute('aria-expanded')).toBe('false');
    await buyer.button(/^Premium/).waitFor();
    await buyer.evaluate(`document.querySelector('parterre-map').map.toggle(['C-5', 'C-6'])`);
    const hold = buyer.button('Hold them for me');
    await hold.waitFor();
    expect(await inSight(buyer, hold)).toBe(true);
    await call('POST', `/v1/events/${event}/hold`, { labels: ['C-5'] });
    const refusal = buyer.notice.filter({ hasText: 'Row C, seat 5 was just taken' });
    await refusal.waitFor();
    expect(await inSight(buyer, refusal)).toBe(true);
    await details.click();
    await buyer.button('Remove Row C, seat 6').waitFor();
    // The sheet's round corners lie over the map, and cover no button of it.
    const tool = buyer.button('Show everything');
    const panel = buyer.page.locator('aside.panel');
    const bottomOf = async () => {
      const above = (await tool.boundingBox())!;
      const below = (await panel.boundingBox())!;
      return below.y - (above.y + above.height);
    };
    await expect.poll(bottomOf, { timeout: PATIENCE_MS }).toBeGreaterThan(4);
    await buyer.page.setViewportSize({ width: 844, height: 390 });
    expect(await inSight(buyer, buyer.button('Hold it for me'))).toBe(true);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  async function inSight(buyer: Buyer, what: ReturnType<Buyer['button']>): Promise<boolean> {
    const box = await what.boundingBox();
    const size = buyer.page.viewportSize()!;
    return box !== null && box.y >= 0 && box.y + box.height <= size.height && box.x + box.width <= size.width;
  }
});
