/** The picker in a real browser sells a performance group: one map of two evenings, held and bought all or none. */
import { expect, test } from 'vitest';
import { describeInBrowser, PATIENCE_MS } from './box-office.ts';
import { openPicker } from './picker.ts';

describeInBrowser('the picker of a group', { timeout: 180_000 }, (office) => {
  const { call, post } = office;

  test('shows one map, and names the performances that lack a place, by eye, by finger and by ear', async () => {
    const { address, evenings } = await office.makeGroup();
    const [monday, tuesday] = evenings as [string, string];
    await post(`/v1/events/${tuesday}/hold`, { labels: ['C-5'] });
    await post(`/v1/events/${monday}/book`, { labels: ['C-6'], bookingRef: 'order-1' });
    for (const evening of evenings) await post(`/v1/events/${evening}/block`, { labels: ['C-7'] });
    const buyer = await openPicker(office, address);
    await buyer.page.getByText('Each place is for 2 performances').waitFor();
    await buyer.page.getByRole('listitem').filter({ hasText: 'Tuesday' }).waitFor();
    await buyer.enter(/^Stalls: 93 of 96 free/);
    await buyer.sees('C-4', /^Row C, seat 4, Premium, €120 for 2 performances, available$/);
    await buyer.sees('C-5', /, not available for Tuesday$/);
    await buyer.sees('C-6', /, not available for Monday$/);
    await buyer.sees('C-7', /, not for sale$/);
    await buyer.clickSeat('C-5');
    await buyer.notice.filter({ hasText: 'Row C, seat 5 is not available for Tuesday.' }).waitFor();
    await buyer.hears(/not available for Tuesday/);
    expect(await buyer.chosen()).toEqual([]);
    const { x, y } = await buyer.placeOf('C-6');
    await buyer.page.mouse.move(x, y, { steps: 3 });
    await buyer.page.locator('.card').filter({ hasText: 'not available for Monday' }).waitFor();
    await buyer.page.getByText('What the signs mean').click();
    await buyer.page.locator('.shapes').getByText('Not for every performance').waitFor();
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('holds the places of all performances, keeps them over a reload, and the shop books them', async () => {
    const { address, key, evenings } = await office.makeGroup();
    const [ada, ben] = await Promise.all([openPicker(office, address), openPicker(office, address)]);
    const totals: unknown[] = [];
    ada.page.on('request', (request) => {
      if (request.url().endsWith('/hold')) totals.push(request.postDataJSON().expectedTotal);
    });
    await ben.enter(/^Stalls/);
    await ada.clickSeat('D-7');
    await ada.clickSeat('D-8');
    await ada.button('Hold them for me').click();
    await ada.hears(/^Held for you for 15 minutes/);
    expect(totals).toEqual([160]);
    await ada.page.locator('.total').getByText('2 places, 2 performances').waitFor();
    await expect.poll(() => ada.page.locator('.total').innerText()).toMatch(/€160/);
    for (const evening of evenings) expect(await statusOf(evening, 'D-7')).toBe('held');
    await ben.sees('D-7', /in somebody’s basket$/);
    await ada.reload();
    await ada.hears(/^Still held for you: Row D, seat 7 and Row D, seat 8/);
    const { operationId } = await ada.hold();
    await post(`/v1/performance-groups/${key}/holds/${operationId}/book`, {
      bookActionId: 'book-1',
      bookingRef: 'order-2',
    });
    const bought = ada.page.getByRole('region', { name: 'Bought' });
    await bought.getByText('Row D, seat 8').waitFor();
    await expect.poll(() => bought.innerText()).toMatch(/Total\s+€160/);
    await ben.sees('D-8', /sold$/);
    expect([...ada.faults, ...ben.faults]).toEqual([]);
    await Promise.all([ada.page.close(), ben.page.close()]);
  });

  test('a page of the shop’s own sessions finds its hold again in the next session', async () => {
    const { address, key } = await office.makeGroup();
    const buyer = await openPicker(office, address);
    const visit = async () => {
      const minted = { includePublic: true, allowedOrigin: office.parterre.url };
      const { token } = await post(`/v1/performance-groups/${key}/buyer-access-sessions`, minted);
      await buyer.page.goto(`${office.parterre.url}/demo?${token.length}`);
      await buyer.page.reload();
      await buyer.evaluate(`(() => {
        const map = document.querySelector('parterre-map');
        map.token = async () => '${token}';
        map.setAttribute('group', '${key}');
      })()`);
      await buyer.live();
    };
    await visit();
    await buyer.clickSeat('D-7');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await visit();
    await buyer.hears(/^Still held for you: Row D, seat 7/);
    await buyer.button('Release').click();
    await buyer.notice.filter({ hasText: 'Released.' }).waitFor();
    await buyer.page.close();
  });

  test('a held choice is fixed: it is changed by giving it up, with keys alone', async () => {
    const { address, evenings } = await office.makeGroup();
    const buyer = await openPicker(office, address);
    await buyer.clickSeat('E-7');
    await buyer.button('Hold it for me').click();
    await buyer.timer.waitFor();
    await buyer.clickSeat('E-8');
    await buyer.notice.filter({ hasText: 'To change them' }).waitFor();
    expect(await buyer.chosen()).toEqual(['E-7']);
    expect(await buyer.evaluate(`document.querySelector('parterre-map').map.extend()`)).toBe(true);
    await buyer.hears(/^You have 15 minutes now/);
    await buyer.button('Change my places').focus();
    await buyer.page.keyboard.press('Enter');
    await buyer.notice.filter({ hasText: 'Released.' }).waitFor();
    for (const evening of evenings) expect(await statusOf(evening, 'E-7')).toBe('free');
    expect(await buyer.chosen()).toEqual(['E-7']);
    await buyer.clickSeat('E-8');
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    for (const evening of evenings) expect(await statusOf(evening, 'E-8')).toBe('held');
    await buyer.button('Release').click();
    await buyer.notice.filter({ hasText: 'Released.' }).waitFor();
    expect(await buyer.chosen()).toEqual([]);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('a place that one performance lost meanwhile is named, and nothing is held anywhere', async () => {
    const { address, evenings } = await office.makeGroup();
    const [monday, tuesday] = evenings as [string, string];
    const buyer = await openPicker(office, address);
    await buyer.clickSeat('F-7');
    await buyer.clickSeat('F-8');
    // The page is out of sight of the change: it looks at its map from time to time.
    await post(`/v1/events/${tuesday}/hold`, { labels: ['F-8'] });
    await buyer.button('Hold them for me').click();
    await buyer.notice.filter({ hasText: /^Row F, seat 8 was just taken by somebody else/ }).waitFor();
    await expect.poll(buyer.chosen, { timeout: PATIENCE_MS }).toEqual(['F-7']);
    expect(await statusOf(monday, 'F-8')).toBe('free');
    await expect.poll(() => buyer.timer.count()).toBe(0);
    await buyer.page.close();
  });

  test('standing places and other tickets are held in every performance', async () => {
    const { address, evenings } = await office.makeGroup();
    const buyer = await openPicker(office, address);
    const standing = buyer.page.getByRole('group', { name: 'Standing', exact: true });
    await standing.getByRole('button', { name: 'One more' }).click();
    await standing.getByRole('button', { name: 'One more' }).click();
    await buyer.clickSeat('G-7');
    await buyer.page.getByLabel('Ticket for Row G, seat 7').selectOption('child');
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    const held = 2 * (2 * 15 + 20);
    await expect.poll(() => buyer.page.locator('.total').innerText()).toMatch(new RegExp(`€${held}`));
    for (const evening of evenings) {
      const { counts } = await call('GET', `/v1/events/${evening}`);
      expect(counts.held).toBe(3);
    }
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('a closing group turns grey, and an unknown group brings the form back', async () => {
    const { address, key } = await office.makeGroup();
    const buyer = await openPicker(office, address);
    const { performanceGroup } = await call('GET', `/v1/performance-groups/${key}`);
    await post(`/v1/performance-groups/${key}/close`, { expectedRevision: performanceGroup.revision });
    await buyer.page.getByRole('region', { name: 'Sales are closed' }).waitFor();
    await buyer.page.close();
    const page = await office.newPage();
    await page.goto(address.replace(key, 'pg_none'));
    await page.getByRole('alert').filter({ hasText: 'not found' }).waitFor();
    expect(await page.getByLabel('or performance group').inputValue()).toBe('pg_none');
    await page.close();
  });

  async function statusOf(eventKey: string, label: string): Promise<string> {
    return (await call('GET', `/v1/events/${eventKey}/objects`)).seats[label] ?? 'free';
  }
});
