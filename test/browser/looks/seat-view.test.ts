/** The view from a seat: by keyboard, by finger and from the list, and with a picture that does not come. */
import { expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { type Buyer, openPicker } from '../picker.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const stage = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#402"/></svg>',
)}`;

/** Row C has a view, seat 6 of it no picture at its address, and the other rows have no view. */
function theatreWithViews() {
  const doc = demoTheatre();
  for (const row of doc.objects as { id: string; viewFromSeatUrl?: string; overrides?: object[] }[]) {
    delete row.viewFromSeatUrl;
    if (!row.id.startsWith('row-c-')) continue;
    row.viewFromSeatUrl = stage;
    if (row.id === 'row-c-left') row.overrides = [{ index: 5, viewFromSeatUrl: '/no-such-picture.png' }];
  }
  return doc;
}

describeInBrowser('the view from a seat', { timeout: 180_000 }, (office) => {
  const { addressOf, makeEvent, post } = office;
  const dialogOf = ({ page }: Buyer, seat: number) =>
    page.getByRole('dialog', { name: `View from Row C, seat ${seat}` });
  const picture = 'Picture of the view from this place';

  test('opens by keys from the basket, closes by Escape, and gives the focus back', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc: theatreWithViews() })), desktop);
    await buyer.clickSeat('C-4');
    await buyer.clickSeat('D-4');
    const view = buyer.button('View from Row C, seat 4');
    await view.waitFor();
    await expect.poll(() => buyer.button(/^View from/).count()).toBe(1);
    await view.focus();
    await buyer.page.keyboard.press('Enter');
    const dialog = dialogOf(buyer, 4);
    await dialog.waitFor();
    const shown = dialog.getByRole('img', { name: picture });
    await expect.poll(() => shown.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(1600);
    expect((await buyer.focused()).name).toBe('Close');
    await buyer.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await buyer.focused()).name).toBe('View from Row C, seat 4');
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('opens from a seat of the list, and closes by its button', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc: theatreWithViews() })), desktop);
    for (const name of ['List', /^Stalls/, /^Row C/]) await buyer.button(name).click();
    await buyer.button('View from Row C, seat 7').click();
    const dialog = dialogOf(buyer, 7);
    await dialog.getByRole('img', { name: picture }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await buyer.focused()).name).toBe('View from Row C, seat 7');
    expect(await buyer.chosen()).toEqual([]);
    await buyer.button(/^Row B/).click();
    await buyer.button(/^Row B, seat 1,/).waitFor();
    await expect.poll(() => buyer.button(/^View from/).count()).toBe(0);
    await buyer.page.close();
  });

  test('opens by a finger on a phone, fits the screen, and closes by a tap beside it', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc: theatreWithViews() })), phone, true);
    await buyer.evaluate(`document.querySelector('parterre-map').map.toggle(['C-9'])`);
    await buyer.button('Prices and places').tap();
    await buyer.button('View from Row C, seat 9').tap();
    const dialog = dialogOf(buyer, 9);
    await dialog.getByRole('img', { name: picture }).waitFor();
    const box = (await dialog.boundingBox())!;
    expect([box.x >= 0, box.y >= 0]).toEqual([true, true]);
    expect(box.x + box.width).toBeLessThanOrEqual(phone.width);
    expect(box.y + box.height).toBeLessThanOrEqual(phone.height);
    await buyer.page.touchscreen.tap(phone.width / 2, phone.height - 8);
    await dialog.waitFor({ state: 'detached' });
    expect(await buyer.chosen()).toEqual(['C-9']);
    await buyer.page.close();
  });

  test('says that a picture could not be loaded, in the dialog and in the card', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc: theatreWithViews() })), desktop);
    const { x, y } = await buyer.placeOf('C-6');
    await buyer.page.mouse.move(x, y, { steps: 3 });
    const card = buyer.page.locator('.card').filter({ hasText: 'Row C, seat 6' });
    await card.getByText('The picture could not be loaded.').waitFor();
    await buyer.clickSeat('C-6');
    await buyer.button('View from Row C, seat 6').click();
    const dialog = dialogOf(buyer, 6);
    await dialog.getByRole('status').filter({ hasText: 'The picture could not be loaded.' }).waitFor();
    await expect.poll(() => dialog.getByRole('img').count()).toBe(0);
    await buyer.page.close();
  });

  test('leaves the focus in the basket when the place was lost meanwhile', async () => {
    const event = await makeEvent({ doc: theatreWithViews() });
    const buyer = await openPicker(office, addressOf(event), desktop);
    await buyer.clickSeat('C-4');
    await buyer.clickSeat('D-4');
    await buyer.button('View from Row C, seat 4').click();
    await dialogOf(buyer, 4).waitFor();
    await post(`/v1/events/${event}/hold`, { labels: ['C-4'] });
    await expect.poll(() => buyer.chosen(), { timeout: PATIENCE_MS }).toEqual(['D-4']);
    await buyer.page.keyboard.press('Escape');
    await dialogOf(buyer, 4).waitFor({ state: 'detached' });
    await expect.poll(async () => (await buyer.focused()).name, { timeout: PATIENCE_MS }).toBe('Your places');
    await buyer.page.close();
  });

  test('is named in the language of the page', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc: theatreWithViews() })), desktop);
    await buyer.evaluate(`document.querySelector('parterre-map').map.toggle(['C-4'])`);
    await buyer.evaluate(`document.querySelector('parterre-map').setAttribute('locale', 'ar')`);
    await buyer.page.getByRole('button', { name: /^المنظر من/ }).click();
    const dialog = buyer.page.getByRole('dialog', { name: /^المنظر من/ });
    await dialog.getByRole('button', { name: 'إغلاق' }).click();
    await dialog.waitFor({ state: 'detached' });
    await buyer.page.close();
  });
});
