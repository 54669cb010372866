/**
 * Changes that a buyer's open page shows: links and their ends, closed sales, selections that are not held, the focus.
 */
import { expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { describeInBrowser, PATIENCE_MS } from './box-office.ts';
import { openPicker } from './picker.ts';

describeInBrowser('an open sale', { timeout: 180_000 }, (office) => {
  const { addressOf, makeEvent, post } = office;

  test('is opened by the address of an access link, once for a tab, and an ended link says so', async () => {
    const event = await makeEvent();
    const { channel } = await post(`/v1/events/${event}/channels`, { name: 'Friends' });
    const links = `/v1/events/${event}/channels/${channel.id}/access-links`;
    const link = await post(links, { maxRedemptions: 1, includePublic: true });
    const buyer = await openPicker(office, link.url);
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await buyer.reload();
    await buyer.timer.waitFor();
    expect(buyer.faults).toEqual([]);
    const late = await office.newPage();
    await late.goto(link.url);
    await late.getByText('This link has ended').waitFor();
    await Promise.all([buyer.page.close(), late.close()]);
  });

  test('turns grey while the event is closed, and opens again', async () => {
    const event = await makeEvent();
    const buyer = await openPicker({ newPage: office.newHurriedPage }, addressOf(event));
    await buyer.clickSeat('C-5');
    await post(`/v1/events/${event}/close`, {});
    await buyer.button('Hold it for me').click();
    await buyer.page.getByRole('region', { name: 'Sales are closed' }).waitFor();
    expect(await buyer.button('Hold it for me').isDisabled()).toBe(true);
    await buyer.clickSeat('C-6');
    expect(await buyer.chosen()).toEqual(['C-5']);
    await post(`/v1/events/${event}/reopen`, {});
    await buyer.page.getByRole('region', { name: 'Sales are closed' }).waitFor({ state: 'detached', timeout: 60_000 });
    await buyer.clickSeat('C-6');
    expect(await buyer.chosen()).toEqual(['C-5', 'C-6']);
    await buyer.page.close();
  });

  test('shows unheld seats apart, and after the purchase the seats that were left out', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event));
    const held = buyer.page.locator('.basket > .chosen');
    const pending = buyer.page.locator('.pending');
    await buyer.clickSeat('D-7');
    await buyer.button('Hold it for me').focus();
    await buyer.page.keyboard.press('Enter');
    await expect.poll(buyer.focused, { timeout: PATIENCE_MS }).toMatchObject({ role: 'timer' });
    await expect.poll(() => buyer.button(/^More time/).count()).toBe(0);
    await buyer.clickSeat('D-8');
    await pending.getByText('Row D, seat 8').waitFor();
    await expect.poll(() => held.innerText()).toMatch(/Row D, seat 7/);
    await expect.poll(() => held.innerText()).not.toMatch(/seat 8/);
    const { holdId } = await buyer.hold();
    await post(`/v1/events/${event}/book`, { holdId, bookingRef: 'order-1' });
    const bought = buyer.page.getByRole('region', { name: 'Bought' });
    await bought.getByText('Row D, seat 7').waitFor();
    await expect.poll(() => bought.innerText()).toMatch(/Total\s+€\d+/);
    await expect.poll(() => bought.innerText()).toMatch(/not held yet: Row D, seat 8/);
    await buyer.page.close();
  });

  test('offers more time when little is left, up to the limit', async () => {
    const event = await makeEvent();
    await post(`/v1/events/${event}/hold-ttl`, { holdTtlMs: 240_000 });
    const buyer = await openPicker(office, addressOf(event));
    await buyer.clickSeat('E-7');
    await buyer.button('Hold it for me').click();
    for (const left of ['3', '2', '1']) await buyer.button(`More time (${left} left)`).click();
    expect(await buyer.button('More time (none left)').isDisabled()).toBe(true);
    await buyer.reload();
    await buyer.hears(/^Still held for you: Row E, seat 7/);
    expect(await buyer.button('More time (none left)').isDisabled()).toBe(true);
    await buyer.page.close();
  });

  test('says that there is no connection only while there is none', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent()));
    await buyer.clickSeat('F-7');
    await buyer.page.context().setOffline(true);
    await buyer.button('Hold it for me').click();
    await buyer.notice.filter({ hasText: 'There is no connection just now.' }).waitFor();
    await buyer.page.context().setOffline(false);
    // The hold may have come: it waits for another press, which finds it.
    await buyer.notice.filter({ hasText: 'Press “Hold it for me” again.' }).waitFor();
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await expect.poll(() => buyer.notice.count()).toBe(0);
    await buyer.page.close();
  });

  test('shows the form with the typed event key again when there is no such event', async () => {
    const page = await office.newPage();
    await page.goto(addressOf('no-such-event'));
    await page.getByRole('alert').filter({ hasText: 'not found' }).waitFor();
    expect(await page.getByLabel('Event key').inputValue()).toBe('no-such-event');
    await page.close();
  });

  test('fits on a phone above the panel, and fits again when the phone is turned', async () => {
    const size = { width: 390, height: 844 };
    const buyer = await openPicker(office, addressOf(await makeEvent()), size);
    const isInside = () =>
      buyer.evaluate<boolean>(`(() => {
        const { map, shadowRoot } = document.querySelector('parterre-map');
        const { width, height } = shadowRoot.querySelector('.canvas').getBoundingClientRect();
        return ['A-1', 'H-12'].map((label) => map.placeOf(label)).every(({ x, y }) => x > 0 && y > 0 && x < width && y < height);
      })()`);
    await expect.poll(isInside, { timeout: PATIENCE_MS }).toBe(true);
    await buyer.clickSeat('C-5');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await buyer.clickSeat('H-1');
    await buyer.clickSeat('H-2');
    await buyer.button('Prices and places').click();
    const wanted = buyer.page.locator('.pending li').filter({ hasText: 'companion place' });
    const [seat, checkout] = await Promise.all([wanted.boundingBox(), buyer.page.locator('.checkout').boundingBox()]);
    expect(seat!.y + seat!.height).toBeLessThanOrEqual(checkout!.y);
    await buyer.page.setViewportSize({ width: 844, height: 390 });
    await expect.poll(isInside, { timeout: PATIENCE_MS }).toBe(true);
    await buyer.page.close();
  });

  test('is walked by fingers, floor by floor: a pinch zooms, one finger moves the map, a tap chooses', async () => {
    const address = addressOf(await makeEvent({ doc: twoFloors() }));
    const buyer = await openPicker(office, address, { width: 390, height: 844 }, true);
    const scale = () => buyer.evaluate<number>(`document.querySelector('parterre-map').map.view.camera.scale`);
    const first = await scale();
    const before = await buyer.placeOf('D-5');
    const spread = (from: number, by: number) =>
      [0, 1, 2, 3].map((step) => ({ x: before.x + from + step * by, y: before.y }));
    await buyer.touch(spread(-20, -20), spread(20, 20));
    expect((await scale()) / first).toBeCloseTo(4, 0);
    expect(Math.abs((await buyer.placeOf('D-5')).x - before.x)).toBeLessThan(2);
    await buyer.touch(spread(0, 15));
    expect((await buyer.placeOf('D-5')).x - before.x).toBeGreaterThan(30);
    expect(await buyer.chosen()).toEqual([]);
    await buyer.touch([await buyer.placeOf('D-5')]);
    expect(await buyer.chosen()).toEqual(['D-5']);
    await buyer.button('Balcony').click();
    // The other floor fits the screen again, so its seats are small, and the first tap zooms.
    await buyer.touch([await buyer.placeOf('UD-5')]);
    expect(await buyer.chosen()).toEqual(['D-5']);
    await buyer.touch([await buyer.placeOf('UD-5')]);
    expect(await buyer.chosen()).toEqual(['D-5', 'UD-5']);
    await buyer.page.close();
  });

  test('opens by a key, by a host’s session and by a key as a bearer, and no buyer resumes another buyer’s hold', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event));
    const session = async () => {
      const body = { includePublic: true, allowedOrigin: office.parterre.url };
      return (await post(`/v1/events/${event}/buyer-access-sessions`, body)).token;
    };
    const opens = async (attributes: Record<string, string | null>, token?: string): Promise<string[]> => {
      await buyer.evaluate(`(() => {
        const map = document.querySelector('parterre-map');
        for (const [name, value] of ${JSON.stringify(Object.entries(attributes))})
          value === null ? map.removeAttribute(name) : map.setAttribute(name, value);
        map.token = ${token ? `async () => '${token}'` : 'null'};
      })()`);
      await buyer.live();
      return buyer.evaluate(`document.querySelector('parterre-map').map.state().hold?.labels ?? []`);
    };
    const holds = async (label: string) => {
      await buyer.clickSeat(label);
      await buyer.button('Hold it for me').click();
      await buyer.timer.waitFor();
    };
    await holds('A-1');
    expect(await opens({ 'public-key': null, holder: 'ada' }, await session())).toEqual([]);
    await holds('A-2');
    expect(await opens({ holder: 'ben' }, await session())).toEqual([]);
    await opens({ holder: 'ada' }, await session());
    await buyer.hears(/^Still held for you: Row A, seat 2/);
    await opens({ 'public-key': office.parterre.demo.keys.publishableTest, bearer: '', holder: null });
    await buyer.hears(/^Still held for you: Row A, seat 1/);
    await buyer.button('Release').click();
    await buyer.notice.filter({ hasText: 'Released.' }).waitFor();
    await holds('A-3');
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  /** The demo theatre, and its rows again as a balcony. */
  function twoFloors() {
    const doc = demoTheatre();
    const rows = doc.objects.filter(({ type }) => type === 'row') as { id: string; label: string }[];
    const upper = rows.map((row) => ({ ...row, id: `upper-${row.id}`, label: `U${row.label}` }));
    const floors = [
      { id: 'ground', name: 'Ground floor', objects: doc.objects, focalPoint: doc.focalPoint },
      { id: 'balcony', name: 'Balcony', objects: upper, focalPoint: doc.focalPoint },
    ];
    return { ...doc, floors };
  }
});
