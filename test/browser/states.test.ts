/**
 * The states of an open page that a buyer meets seldom: a presale, a paused channel, a failed start, a changed price, a
 * hold that ran out, the rules of a choice, a browser without a canvas.
 */
import { expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { pickerFaults } from './axe-faults.ts';
import { describeInBrowser, faultsOf, PATIENCE_MS } from './box-office.ts';
import { focusedIn, openPicker } from './picker.ts';

const desktop = { width: 1440, height: 900 };
const HOUR_MS = 3_600_000;

describeInBrowser('the picker in its rarer states', { timeout: 180_000 }, (office) => {
  const { addressOf, call, makeEvent } = office;

  test('tells a presale with its time, and sells places at their usual price', async () => {
    const doc = demoTheatre();
    doc.categories = doc.categories.map(({ tiers: _, ...category }) => ({ price: 30, ...category }));
    const event = await makeEvent({ doc });
    const startsAt = Date.now() + 24 * HOUR_MS;
    await call('PUT', `/v1/events/${event}/releases`, { releases: [{ name: 'Early bird', price: 10, startsAt }] });
    const buyer = await openPicker(office, addressOf(event), desktop);
    const presale = buyer.page.getByRole('region', { name: 'Offers begin soon' });
    await presale.waitFor();
    await expect
      .poll(() => presale.innerText())
      .toMatch(/They begin on .+ at .+\. Until then places have their usual price\./);
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await buyer.page.locator('.total').filter({ hasText: '€30' }).waitFor();
    await buyer.page.close();
  });

  test('counts the time until the sale begins, sells nothing before, and sells at the moment without a call', async () => {
    const event = await makeEvent();
    const linked = { name: 'Groups', price: 10, action: 'apply', actionUrl: 'https://venue.example/groups' };
    await call('PUT', `/v1/events/${event}/releases`, { releases: [linked] });
    await call('PATCH', `/v1/events/${event}`, { salesStartAt: Date.now() + 8_000 });
    const buyer = await openPicker(office, addressOf(event), desktop);
    const { page } = buyer;
    const presale = page.getByRole('region', { name: 'The sale has not begun' });
    await presale.waitFor();
    await expect.poll(() => presale.innerText()).toMatch(/It begins on .+ \(.+\)\. This page opens by itself\./);
    await presale
      .getByRole('timer')
      .filter({ hasText: /Begins in\s*0:\d\d/ })
      .waitFor();
    await expect.poll(() => page.getByText('Choose places on the map').count()).toBe(0);
    await page.getByRole('link', { name: 'Groups: Apply' }).waitFor();
    await buyer.clickSeat('C-5');
    expect(await buyer.chosen()).toEqual([]);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await buyer.hears(/^The sale has begun\.$/);
    expect(asked.filter((url) => !url.includes('availability'))).toEqual([]);
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    expect((await buyer.hold()).labels).toEqual(['C-5']);
    await page.close();
  });

  test('shows the countdown on a phone, and the end of a sale', async () => {
    const event = await makeEvent();
    await call('PATCH', `/v1/events/${event}`, { salesStartAt: Date.now() + HOUR_MS });
    const buyer = await openPicker(office, addressOf(event), { width: 390, height: 844 }, true);
    const presale = buyer.page.getByRole('region', { name: 'The sale has not begun' });
    await presale
      .getByRole('timer')
      .filter({ hasText: /Begins in\s*(59:\d\d|1:00:00)/ })
      .waitFor();
    expect(await pickerFaults(buyer.page)).toEqual([]);
    await call('PATCH', `/v1/events/${event}`, { salesStartAt: null, salesEndAt: 1 });
    await buyer.reload();
    await buyer.page.getByRole('region', { name: 'Sales have ended' }).waitFor();
    await buyer.page.close();
  });

  test('says that a channel is paused, sells nothing meanwhile, and goes on by itself', async () => {
    const event = await makeEvent();
    const { channel } = await call('POST', `/v1/events/${event}/channels`, { name: 'Friends' });
    const path = `/v1/events/${event}/channels/${channel.id}`;
    const assigned = { targetChannelId: channel.id, labels: ['C-5', 'C-6'], assignmentVersion: 0 };
    await call('POST', `/v1/events/${event}/channels/assignments`, assigned);
    const link = await call('POST', `${path}/access-links`, { maxRedemptions: 3 });
    const buyer = await openPicker(office, link.url, desktop);
    await buyer.clickSeat('C-5');
    await call('POST', `${path}/pause`, { reason: 'the sale starts later' });
    const paused = buyer.page.getByRole('region', { name: 'Sales to you are paused' });
    await paused.waitFor();
    await expect.poll(() => buyer.button('Hold it for me').count()).toBe(0);
    await buyer.clickSeat('C-5');
    expect(await buyer.chosen()).toEqual([]);
    await call('POST', `${path}/unpause`, { reason: 'it starts now' });
    await paused.waitFor({ state: 'detached' });
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await buyer.page.close();
  });

  test('says that the map may be out of date, sells nothing meanwhile, and goes on with a fresh map', async () => {
    const page = await office.newPage({ viewport: desktop });
    // No event of this server is halted: behind the server's first frame come the test's frames alone, and no look.
    let tell: ((frame: object) => void) | null = null;
    let isOwn = false;
    await page.route('**/objects?compact=1', (route) => route.abort());
    await page.routeWebSocket('**/subscribe', (socket) => {
      socket.connectToServer().onMessage((frame) => {
        if (!isOwn) socket.send(frame);
        tell = (own) => {
          isOwn = true;
          socket.send(JSON.stringify(own));
        };
      });
    });
    const buyer = await openPicker({ newPage: async () => page }, addressOf(await makeEvent()), desktop);
    await page.route('**/pub/statuses/**', (route) => route.abort());
    await buyer.clickSeat('C-5');
    await expect.poll(() => tell).not.toBeNull();
    const fresh = { type: 'snapshot', snapshotVersion: 1, default: 'free', seats: {}, hidden: [], closed: [], ga: {} };
    const stale = page.getByRole('region', { name: 'The map may be out of date' });
    tell!({ ...fresh, stale: true });
    await stale.waitFor();
    await buyer.hears(/Nothing can be bought just now: the map may be out of date\./);
    expect(await buyer.button('Hold it for me').getAttribute('aria-disabled')).toBe('true');
    await buyer.clickSeat('C-6');
    expect(await buyer.chosen()).toEqual(['C-5']);
    expect(await pickerFaults(page)).toEqual([]);
    tell!(fresh);
    await stale.waitFor({ state: 'detached' });
    await buyer.hears(/Sales are open again\./);
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await page.close();
  });

  test('offers another try after a failed start, opens then, and keeps the focus', async () => {
    const event = makeEvent();
    const page = await office.newPage({ viewport: desktop });
    const key = office.parterre.demo.keys.publishableTest;
    await page.route('**/shop', async (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><body><parterre-map event="${await event}" public-key="${key}"></parterre-map>
          <script type="module" src="/demo/parterre.js"></script></body></html>`,
      }),
    );
    await page.route('**/pub/events/**', (route) => route.abort());
    await page.goto(`${office.parterre.url}/shop`);
    await page.getByRole('alert').filter({ hasText: 'There is no connection just now.' }).waitFor();
    expect(await pickerFaults(page)).toEqual([]);
    await page.unroute('**/pub/events/**');
    await page.getByRole('button', { name: 'Try again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Prices' }).waitFor();
    expect((await focusedIn(page)).name).toBe('Seat map');
    await page.close();
  });

  test('holds at the total that the button has shown, and shows a changed price before it holds', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event), desktop);
    const totals: unknown[] = [];
    buyer.page.on('request', (request) => {
      if (request.url().endsWith('/hold')) totals.push(request.postDataJSON().expectedTotal);
    });
    const more = buyer.page
      .getByRole('group', { name: 'Standing', exact: true })
      .getByRole('button', { name: 'One more' });
    await more.click();
    await more.click();
    const total = buyer.page.locator('.total');
    await total.filter({ hasText: '€30' }).waitFor();
    const offer = { name: 'Last call', price: 40, categoryKey: 'standing' };
    await call('PUT', `/v1/events/${event}/releases`, { releases: [offer] });
    await buyer.button('Hold them for me').click();
    await buyer.page.getByText('The price has changed. Look at the new total, then hold again.').first().waitFor();
    await total.filter({ hasText: '€80' }).waitFor();
    await expect.poll(() => buyer.timer.count()).toBe(0);
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await total.filter({ hasText: '€80' }).waitFor();
    expect(totals).toEqual([30, 80]);
    await buyer.page.close();
  });

  test('gets the places of a hold that ran out back, as far as they are free', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event), desktop);
    for (const label of ['C-5', 'C-6', 'D-5']) await buyer.clickSeat(label);
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    // The server’s word for the end is exchanged: a real end by time takes a minute.
    await buyer.page.route('**/hold/resume', (route) =>
      route.fulfill({ status: 404, json: { code: 'hold_not_found', status: 'expired' } }),
    );
    const { holdId } = await buyer.hold();
    await call('POST', `/v1/events/${event}/release`, { holdId });
    const lost = buyer.page.getByRole('region', { name: 'Do you still want them?' });
    await lost.waitFor();
    await buyer.hears(/^Your time is up/);
    await call('POST', `/v1/events/${event}/hold`, { labels: ['D-5'] });
    await buyer.enter(/^Stalls/);
    await buyer.sees('D-5', /basket$/);
    await buyer.button('Try to get them back').focus();
    await buyer.page.keyboard.press('Enter');
    await buyer.timer.waitFor();
    await buyer.notice.filter({ hasText: 'Row D, seat 5 was just taken' }).waitFor();
    await buyer.hears(/^Held for you for 1[45] minutes\. Row D, seat 5 was just taken by somebody else\.$/);
    expect((await buyer.hold()).labels).toEqual(['C-5', 'C-6']);
    await expect.poll(buyer.focused).toMatchObject({ role: 'timer' });
    await expect.poll(() => lost.count()).toBe(0);
    await buyer.page.close();
  });

  test('tells the event’s rules above the folded sheet, by the names of places, and each refusal once', async () => {
    const selectionRules = { preventOrphans: true, categoryLimits: { premium: 2 }, tierLimits: { child: 1 } };
    const buyer = await openPicker(office, addressOf(await makeEvent({ selectionRules })), desktop);
    const rules = buyer.page.locator('.banners').getByRole('status');
    await buyer.clickSeat('D-2');
    await rules.filter({ hasText: 'Row D, seat 1 would be left alone.' }).waitFor();
    await buyer.button('Hold it for me').click();
    await buyer.notice.filter({ hasText: 'Row D, seat 1 would be left alone.' }).waitFor();
    expect([await buyer.timer.count(), await rules.count()]).toEqual([0, 0]);
    await buyer.clickSeat('D-1');
    await expect.poll(() => rules.count(), { timeout: PATIENCE_MS }).toBe(0);
    for (const label of ['C-1', 'C-2', 'C-3']) await buyer.clickSeat(label);
    await rules.filter({ hasText: 'at most 2 tickets of this category: Row C, seat 1, Row C, seat 2' }).waitFor();
    await buyer.page.setViewportSize({ width: 390, height: 844 });
    await rules.filter({ visible: true }).waitFor();
    await buyer.page.setViewportSize(desktop);
    await buyer.button('Remove Row C, seat 3').click();
    for (const label of ['Row C, seat 1', 'Row C, seat 2']) {
      await buyer.page.getByRole('combobox', { name: `Ticket for ${label}` }).selectOption({ label: 'Child · €30' });
    }
    await rules.filter({ hasText: 'at most 1 ticket of this kind' }).waitFor();
    await buyer.page.getByRole('combobox', { name: 'Ticket for Row C, seat 1' }).selectOption({ label: 'Adult · €60' });
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await buyer.page.close();
  });

  test('marks the seats that break a rule and holds them all the same, where rules are told alone', async () => {
    const selectionRules = { consecutive: true, preventOrphans: true, highlightOnly: true };
    const buyer = await openPicker(office, addressOf(await makeEvent({ selectionRules })), desktop);
    await buyer.clickSeat('D-2');
    await buyer.enter(/Stalls/);
    await buyer.sees('D-1', /would be left alone$/);
    await buyer.sees('D-2', /chosen$/);
    await buyer.seat('D-4').dispatchEvent('click');
    await buyer.sees('D-2', /chosen, breaks a rule of this sale$/);
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await buyer.sees('D-4', /held for you, breaks a rule of this sale$/);
    expect(await pickerFaults(buyer.page)).toEqual([]);
    await buyer.page.close();
  });

  test('sells from the list where the browser gives no canvas', async () => {
    const page = await office.newPage({ viewport: desktop });
    const faults = faultsOf(page);
    await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null;');
    await page.goto(addressOf(await makeEvent()));
    await page.getByText('This browser cannot draw the map. Choose from the list.').waitFor();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    await page.getByRole('button', { name: /^Row B/ }).click();
    await page.getByRole('button', { name: /^Row B, seat 3, / }).click();
    expect(await pickerFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hold it for me' }).click();
    await page.getByRole('timer').waitFor();
    expect(await page.evaluate(`document.querySelector('parterre-map').map.state().hold.labels`)).toEqual(['B-3']);
    expect(faults).toEqual([]);
    await page.close();
  });
});
