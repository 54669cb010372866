/**
 * The looks of the picker: the chart's own pictures by their pixels, the page from right to left, the card of a seat,
 * the room around the buttons on a phone, and every part that a shop's style can reach.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { root } from '../../../scripts/launch/root.ts';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { openPicker } from '../picker.ts';
import { coloursAt } from './pixels.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const patience = { timeout: PATIENCE_MS };
const map = `document.querySelector('parterre-map').map`;

/** A picture of one colour. */
const filled = (colour: string, width = 100, height = 100) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/></svg>`,
  )}`;

describeInBrowser('the looks of the picker', { timeout: 300_000 }, (office) => {
  const { addressOf, makeEvent, post, sellAll } = office;

  test('draws the background and every picture of the chart where they stand, however many there are', async () => {
    const area = { x: 0, y: -400, width: 1000, height: 300 };
    const brown = [100, 60, 20];
    const red = [200, 0, 0];
    // A turned picture of 400 by 40 is 40 wide and 400 high.
    const turned = { center: { x: 500, y: 900 }, width: 400, height: 40, rotation: 90 };
    const many = Array.from({ length: 60 }, (_, index) => ({
      type: 'decorImage',
      id: `picture-${index}`,
      src: filled(`rgb(0,${index + 100},0)`),
      center: { x: 20 + 16 * index, y: -50 },
      width: 12,
      height: 12,
    }));
    const theatre = demoTheatre();
    const doc = {
      ...theatre,
      backgroundImage: { url: filled('rgb(100,60,20)'), ...area },
      objects: [
        ...theatre.objects,
        { type: 'decorImage', id: 'turned', src: filled('rgb(200,0,0)'), ...turned },
        ...many,
      ],
    };
    const buyer = await openPicker(office, addressOf(await makeEvent({ doc })), desktop);
    const { page } = buyer;
    const at = (...points: [number, number][]) =>
      coloursAt(
        page,
        points.map(([x, y]) => ({ x, y })),
      );
    await expect
      .poll(() => at([10, -390], [990, -110], [500, 1080], [500, 720]), patience)
      .toEqual([brown, brown, red, red]);
    const [beside] = await at([650, 900]);
    expect([brown, red]).not.toContainEqual(beside);
    const middles = many.map(({ center: { x, y } }): [number, number] => [x, y]);
    await expect.poll(() => at(...middles), patience).toEqual(many.map((_, index) => [0, index + 100, 0]));
    expect(buyer.faults).toEqual([]);
    await page.close();
  });

  test('stands in Arabic from right to left: panel, tools, basket and card', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent()), desktop);
    const { page } = buyer;
    await buyer.evaluate(`document.querySelector('parterre-map').setAttribute('locale', 'ar')`);
    await expect.poll(() => page.locator('.parterre').getAttribute('dir'), patience).toBe('rtl');
    await buyer.evaluate(`${map}.toggle(['C-4', 'Table 1'])`);
    await page.locator('[part~=row]').nth(1).waitFor();
    const box = async (part: string) => (await page.locator(`[part~=${part}]`).first().boundingBox())!;
    const [hall, panel, tools, surfaces] = await Promise.all(['map', 'panel', 'tools', 'surfaces'].map(box));
    expect(panel!.x).toBe(0);
    expect(hall!.x).toBe(panel!.width);
    expect(tools!.x - hall!.x).toBe(12);
    expect(surfaces!.x - hall!.x).toBe(12);
    const [row, price, remove] = await Promise.all(['row', 'price', 'remove'].map(box));
    const name = (await page.locator('[part~=row] b').first().boundingBox())!;
    expect(remove!.x).toBeLessThan(price!.x);
    expect(price!.x).toBeLessThan(name.x);
    expect(row!.x + row!.width - (name.x + name.width)).toBeLessThan(30);
    await buyer.evaluate(`${map}.view.zoomBy(4)`);
    await page.locator('.minimap').waitFor();
    const small = (await page.locator('.minimap').boundingBox())!;
    expect(small.x).toBeGreaterThan(tools!.x + tools!.width);
    await buyer.evaluate(`${map}.view.fit()`);
    const { x, y } = await buyer.placeOf('D-12');
    await page.mouse.move(x, y, { steps: 3 });
    const card = await box('card');
    expect(card.x).toBeGreaterThanOrEqual(hall!.x);
    expect(card.x + card.width).toBeLessThanOrEqual(desktop.width);
    const isWide = `[...document.querySelector('parterre-map').shadowRoot.querySelectorAll('.panel, .body, .checkout, .places')]
      .filter((each) => each.scrollWidth > each.clientWidth).map(({ className }) => className)`;
    expect(await page.evaluate(isWide)).toEqual([]);
    await page.getByRole('button', { name: 'قائمة' }).click();
    await page.locator('[part~=list-section]').first().click();
    const [section, amount] = await Promise.all(
      ['.section b', '.section .amount'].map(async (each) => (await page.locator(each).first().boundingBox())!),
    );
    expect(amount!.x).toBeLessThan(section!.x);
    const inner = await box('list-row');
    const outer = await box('list-section');
    expect(outer.x + outer.width - (inner.x + inner.width)).toBeCloseTo(16);
    expect(await page.evaluate(isWide)).toEqual([]);
    await page.close();
  });

  test('tells section, place, price, kinds and status in the card of a seat', async () => {
    const event = await makeEvent();
    await post(`/v1/events/${event}/book`, { labels: ['C-9'], bookingRef: 'one' });
    const buyer = await openPicker(office, addressOf(event), desktop);
    const card = buyer.page.locator('.card');
    const told = async (label: string) => {
      const { x, y } = await buyer.placeOf(label);
      await buyer.page.mouse.move(x - 40, y);
      await buyer.page.mouse.move(x, y, { steps: 3 });
      return expect.poll(async () => (await card.innerText()).split(/\s*\n\s*/), patience);
    };
    const premium = 'Adult · €60, Child · €30';
    const standard = 'Adult · €40, Child · €20';
    await (await told('C-4')).toEqual(['Stalls', 'Row C, seat 4', 'Premium', '€60', premium, 'available']);
    await (await told('C-9')).toEqual(['Stalls', 'Row C, seat 9', 'Premium', 'sold']);
    const kind = 'wheelchair place';
    await (await told('H-1')).toEqual(['Stalls', 'Row H, seat 1', 'Standard', '€40', standard, kind, 'available']);
    await (await told('Table 1')).toEqual(['Table 1', 'Premium', '€60 a guest, up to 6 guests', premium, 'available']);
    await buyer.page.close();
  });

  test('keeps the switch of map and list away from the edges of a phone, the sheet open or closed', async () => {
    const buyer = await openPicker(office, addressOf(await makeEvent()), phone, true);
    await buyer.evaluate(`${map}.toggle(['C-4', 'C-5', 'C-6'])`);
    for (const isOpen of [false, true]) {
      if (isOpen) await buyer.button('Prices and places').tap();
      await expect.poll(() => roomAround(buyer.page), patience).toBeGreaterThanOrEqual(8);
      await expect.poll(() => buyer.evaluate(stageBelowSwitch), patience).toBe(true);
    }
    await buyer.page.close();
  });

  test('lets a shop’s style reach every documented part', async () => {
    const page = readFileSync(join(root, 'docs/theming.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z][a-z-]*)` \|/gm)].map(([, name]) => name!);
    const reached = new Set<string>();
    const look = async (on: Page) => {
      for (const name of await on.evaluate<string[]>(partsReached(documented))) reached.add(name);
      expect(await on.evaluate<string[]>(piecesWithoutPart)).toEqual([]);
    };
    await lookWhileItOpens(look);
    await lookAtTheSale(look);
    await lookAtTheGroup(look);
    expect(documented.filter((name) => !reached.has(name))).toEqual([]);
  });

  type Look = (on: Page) => Promise<void>;

  async function lookWhileItOpens(look: Look): Promise<void> {
    const page = await office.newPage({ viewport: desktop });
    await page.route('**/pub/events/**', () => {});
    await page.goto(addressOf('demo-night'));
    await page.getByText('Opening the map').first().waitFor();
    await look(page);
    await page.close();
  }

  async function lookAtTheSale(look: Look): Promise<void> {
    const doc = demoTheatre();
    const objects = doc.objects as { id: string; viewFromSeatUrl?: string }[];
    for (const row of objects) if (row.id.startsWith('row-c-')) row.viewFromSeatUrl = filled('rgb(1,2,3)');
    const floor = { id: 'lower', name: 'Lower', focalPoint: doc.focalPoint, objects: doc.objects };
    const upper = { ...floor, id: 'upper', name: 'Upper', objects: [] };
    const fees = [{ name: 'Service', amount: 1 }];
    doc.categories = doc.categories.map((category) => ({ ...category, fees }));
    const event = await makeEvent({
      doc: { ...doc, floors: [floor, upper] } as never,
      selectionRules: { preventOrphans: true },
    });
    const linked = { name: 'Groups', price: 0, action: 'apply', actionUrl: 'https://shop.example/groups' };
    await office.call('PUT', `/v1/events/${event}/releases`, { releases: [linked] });
    const buyer = await openPicker({ newPage: office.newHurriedPage }, addressOf(event), desktop);
    const { page } = buyer;
    await buyer.button('Show three choices').click();
    await page.getByRole('list', { name: 'Show three choices' }).waitFor();
    await look(page);
    await buyer.evaluate(`${map}.view.zoomBy(4)`);
    await page.locator('.minimap').waitFor();
    await look(page);
    await buyer.evaluate(`${map}.view.fit()`);
    const { x, y } = await buyer.placeOf('C-4');
    await page.mouse.move(x, y, { steps: 3 });
    await page.locator('.card').waitFor();
    await look(page);
    for (const label of ['C-4', 'D-2', 'D-1']) await buyer.clickSeat(label);
    await buyer.button('View from Row C, seat 4').click();
    await page.getByRole('dialog').waitFor();
    await look(page);
    await page.keyboard.press('Escape');
    await buyer.button('Remove Row D, seat 1').click();
    await page
      .getByText(/Row D, seat 1.* would be left alone\./)
      .first()
      .waitFor();
    await look(page);
    await buyer.clickSeat('D-1');
    await buyer.button('Hold them for me').click();
    await buyer.timer.waitFor();
    await buyer.clickSeat('C-5');
    await page.locator('.pending').waitFor();
    for (const name of ['List', /^Stalls/, /^Row C/]) await buyer.button(name).click();
    await look(page);
    await page.setViewportSize(phone);
    await office.goOffline(page);
    await page.locator('.connection').waitFor();
    await look(page);
    await page.close();
    const soldOut = await makeEvent();
    await sellAll(soldOut);
    const late = await openPicker(office, addressOf(soldOut), desktop);
    await late.page.getByRole('region', { name: 'Sold out' }).waitFor();
    await look(late.page);
    await late.page.close();
  }

  async function lookAtTheGroup(look: Look): Promise<void> {
    const { address } = await office.makeGroup();
    const buyer = await openPicker(office, address, desktop);
    await buyer.page.locator('.performances').waitFor();
    await look(buyer.page);
    await buyer.page.close();
  }
});

/** Whether the stage of the demo's theatre, which begins at 0, stands clear of the switch. */
const stageBelowSwitch = `(() => {
  const { map, shadowRoot } = document.querySelector('parterre-map');
  const [hall, above] = ['.map', '.surfaces'].map((each) => shadowRoot.querySelector(each).getBoundingClientRect());
  return hall.top + map.view.toScreen({ x: 500, y: 0 }).y >= above.bottom;
})()`;

/** The least distance in pixels of the switch from the edges of the map's visible part. */
function roomAround(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const { shadowRoot } = document.querySelector('parterre-map');
    const [all, inner, below] = ['.map', '.surfaces', '.panel'].map((each) => shadowRoot.querySelector(each).getBoundingClientRect());
    return Math.min(inner.left - all.left, all.right - inner.right, inner.top - all.top, below.top - inner.bottom);
  })()`);
}

/** The layers of the drawing are one part, and the list for keyboards cannot be seen. */
const piecesWithoutPart = `(() => {
  const { shadowRoot } = document.querySelector('parterre-map');
  return [...shadowRoot.querySelectorAll('button, select, input[type=search], canvas, dialog')]
    .filter((piece) => piece.part.length === 0 && !piece.closest('.mirror') && !piece.matches('.canvas > canvas'))
    .map((piece) => piece.outerHTML.slice(0, 80));
})()`;

/** The parts that a style of the page reaches, on a piece that can be seen. */
function partsReached(parts: string[]): string {
  return `(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(parts)}.map((name) => \`parterre-map::part(\${name}) { --probe-\${name}: \${name} }\`).join(' '));
    document.adoptedStyleSheets = [sheet];
    const pieces = [...document.querySelector('parterre-map').shadowRoot.querySelectorAll('[part]')];
    const isSeen = (piece) => piece.checkVisibility() && piece.getBoundingClientRect().width * piece.getBoundingClientRect().height > 0;
    const isReached = (piece, name) => getComputedStyle(piece).getPropertyValue(\`--probe-\${name}\`).trim() === name;
    return ${JSON.stringify(parts)}.filter((name) => pieces.some((piece) => piece.part.contains(name) && isSeen(piece) && isReached(piece, name)));
  })()`;
}
