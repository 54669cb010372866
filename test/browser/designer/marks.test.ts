/**
 * The designer's map in a real browser: refusals over it, the places that a brush paints, prices on cards, red frames
 * around issues, labels that are only proposed, and plans to trace.
 */
import { expect, test } from 'vitest';
import { describeInBrowser, type Json, PATIENCE_MS } from '../box-office.ts';
import { openDesigner } from './page.ts';

const until = <T>(read: () => T) => expect.poll(read, { timeout: PATIENCE_MS });

const row = (id: string, label: string, y: number, more: object = {}) => ({
  type: 'row',
  id,
  label,
  origin: { x: 200, y },
  rotation: 0,
  curve: 0,
  seatCount: 10,
  seatSpacing: 40,
  categoryKey: 'stalls',
  ...more,
});
const west = {
  type: 'section',
  id: 'west',
  label: 'West',
  outline: [
    { x: 0, y: 0 },
    { x: 4_000, y: 0 },
    { x: 4_000, y: 2_500 },
    { x: 0, y: 2_500 },
  ],
};
const tiers = [
  { id: 'adult', name: 'Adult', price: 20 },
  { id: 'edge', name: 'Edge', price: 12, applicability: { seatLabels: ['A-1', 'A-2'] } },
];
const hall = {
  version: 1,
  name: 'Studio',
  venueType: 'MIXED',
  focalPoint: { x: 400, y: 0 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#2f6f5e', tiers },
    { key: 'vip', label: 'Front', color: '#8c2f39', price: 45 },
  ],
  objects: [row('r1', 'A', 100), row('r2', 'B', 160), row('r3', 'C', 220)],
};
/** A red picture of one pixel. */
const red =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

describeInBrowser('the map of the designer', { timeout: 240_000 }, (office) => {
  const open = (looks: Parameters<typeof openDesigner>[2] = {}, doc: object = hall) => openDesigner(office, doc, looks);

  test('shows a refused Delete over itself, and says it', async () => {
    const { page, select, hears, document, violations } = await open({ grant: { features: { rows: false } } });
    await select('r1');
    await page.locator('.map').focus();
    await page.keyboard.press('Delete');
    const notice = page.locator('.notice');
    await notice.getByText('This session cannot change this part of the chart').waitFor();
    await hears(/This session cannot change this part of the chart/);
    expect((await document()).objects).toHaveLength(3);
    expect(await covered(page, '.notice', '.bar, .arrange, .zoom, .rail, .side, .status')).toBe(false);
    expect(await violations()).toEqual([]);
    // A notice that was left before the click comes again.
    await page.keyboard.press('Delete');
    await notice.click();
    await notice.waitFor({ state: 'detached' });
    await page.close();
  });

  test('shows why a tool did nothing', async () => {
    const { page } = await open();
    await page.locator('.map').focus();
    await page.keyboard.press('i');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('.notice').getByText('Choose a picture first').waitFor();
    await page.close();
  });

  test('dims the places without what the brush paints, and tells how many have it', async () => {
    const { page, document } = await open();
    await page.getByRole('tab', { name: 'Categories' }).click();
    const before = await colourAt(page, 283, 163);
    await page.getByRole('button', { name: 'Paint: Restricted view' }).click();
    await page.locator('.marked').getByText('Restricted view: 0 places').waitFor();
    await until(() => colourAt(page, 283, 163)).not.toEqual(before);
    const at = await onScreen(page, 240, 160);
    await page.mouse.click(at.x, at.y);
    await page.locator('.marked').getByText('Restricted view: 1 place').waitFor();
    expect((await document()).objects[1].overrides).toEqual([{ index: 1, restrictedView: true }]);
    await page.mouse.move(2, 400);
    // Beside the dot in its middle.
    await until(async () => isNear(await colourAt(page, 240 + 11, 163), before)).toBe(true);
    await page.locator('.map').focus();
    await page.keyboard.press('v');
    await until(() => colourAt(page, 283, 163)).toEqual(before);
    await expect.poll(() => page.locator('.marked').count()).toBe(0);
    await page.close();
  });

  test('shows the places of a ticket type, and a brush changes them with live counts', async () => {
    const { page, document } = await open();
    await page.getByRole('tab', { name: 'Categories' }).click();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    await page.getByText('For 2 places').waitFor();
    await page.getByRole('button', { name: 'Paint: Edge' }).click();
    await page.locator('.marked').getByText('Edge: 2 places').waitFor();
    const from = await onScreen(page, 200, 160);
    const to = await onScreen(page, 283, 163);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    await page.locator('.marked').getByText('Edge: 5 places').waitFor();
    const named = async () => (await document()).categories[0].tiers[1].applicability.seatLabels;
    expect(await named()).toEqual(['A-1', 'A-2', 'B-1', 'B-2', 'B-3']);
    await page.getByRole('button', { name: 'Erase: Edge' }).click();
    await page.mouse.click(from.x, from.y);
    await until(named).toEqual(['A-1', 'A-2', 'B-2', 'B-3']);
    await page.keyboard.press('ControlOrMeta+Z');
    await page.keyboard.press('ControlOrMeta+Z');
    await until(named).toEqual(['A-1', 'A-2']);
    await page.close();
  });

  test('keeps a ticket type with its renamed seats, and warns of names that no seat has', async () => {
    const { page, select, document } = await open();
    await select('r1');
    await page.getByLabel('Label', { exact: true }).fill('Q');
    await page.getByLabel('Label', { exact: true }).press('Enter');
    await until(async () => (await document()).categories[0].tiers[1].applicability.seatLabels).toEqual(['Q-1', 'Q-2']);
    await page.getByRole('tab', { name: 'Categories' }).click();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    const seats = page.getByLabel('Only these places').nth(1);
    await seats.fill('Q-1, A-1');
    await seats.press('Enter');
    await page.getByRole('tab', { name: /^Issues/ }).click();
    await page
      .getByText('The ticket type Edge of Stalls names a place that the category does not have: A-1.')
      .waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByText('names a place that the category does not have: A-1.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).waitFor();
    await page.close();
  });

  test('has prices on its cards while the categories are open', async () => {
    // Seats too small to be drawn stand in a section with room for a card.
    const small = { seatSpacing: 8 };
    const rows = [row('r1', 'A', 100, small), row('r2', 'B', 160, small), row('r3', 'C', 220, small)];
    const far = { ...hall, objects: [west, ...rows] };
    const { page } = await open({}, far);
    await page.evaluate(listening);
    const drawn = (): Promise<string[]> => page.evaluate('window.drawn.splice(0)');
    const seen: string[] = [];
    await page.getByRole('tab', { name: 'Categories' }).click();
    await until(async () => seen.push(...(await drawn())) && seen.includes('Prices 12 to 20')).toBe(true);
    await page.locator('.category').getByText('12 – 20').waitFor();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    await page.getByLabel('Price', { exact: true }).nth(1).fill('8');
    await page.getByLabel('Price', { exact: true }).nth(1).press('Enter');
    await until(async () => seen.push(...(await drawn())) && seen.includes('Prices 8 to 20')).toBe(true);
    seen.length = 0;
    await page.getByRole('tab', { name: 'Chart' }).click();
    await until(async () => seen.push(...(await drawn())) && seen.includes('30 places')).toBe(true);
    expect(seen.filter((text) => text.startsWith('Price'))).toEqual([]);
    await page.close();
  });

  test('frames an object with an issue in red, and the frame goes with the issue', async () => {
    const { page, select } = await open();
    const isFramed = () => page.evaluate(hasRed);
    await select('r2');
    await page.getByLabel('Label', { exact: true }).fill('A');
    await page.getByLabel('Label', { exact: true }).press('Enter');
    await page.getByRole('tab', { name: /^Issues 1$/ }).waitFor();
    await until(isFramed).toBe(true);
    await page.locator('.map').focus();
    await page.keyboard.press('ControlOrMeta+Z');
    await page.getByRole('tab', { name: /^Issues$/ }).waitFor();
    await until(isFramed).toBe(false);
    await page.close();
  });

  test('shows proposed labels with letters left out, and takes them back', async () => {
    const { page, select, document } = await open();
    await select('r1', 'r2', 'r3');
    await page.getByText('Labels in a sequence').click();
    await page.getByLabel('Begin with').fill('H');
    await page.getByLabel('Leave out').fill('I, J');
    const first = () => page.evaluate(`(${firstNumbers})()`);
    await until(first).toEqual(['H-1', 'K-1', 'L-1']);
    expect((await document()).objects.map(({ label }: Json) => label)).toEqual(['A', 'B', 'C']);
    await page.getByRole('button', { name: 'Leave the labels as they are' }).click();
    await until(first).toEqual(['1', '1', '1']);
    await page.close();
  });

  test('shows a plan from a file under each floor, moved and sized by fields', async () => {
    const { page, document, faults } = await open();
    await page.getByRole('tab', { name: 'Chart' }).click();
    const ground = await colourAt(page, 405, 195);
    const file = page.getByLabel('From a file');
    await file.setInputFiles({ name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await page.locator('.notice').getByText('This file is no picture').waitFor();
    await file.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: Buffer.alloc(2_000_001) });
    await page.locator('.notice').getByText('larger than 2 MB').waitFor();
    await file.setInputFiles({
      name: 'plan.png',
      mimeType: 'image/png',
      buffer: Buffer.from(red.split(',')[1]!, 'base64'),
    });
    await until(async () => (await document()).backgroundImage?.opacity).toBe(0.5);
    await until(() => colourAt(page, 405, 195)).not.toEqual(ground);
    await page.getByLabel('Opacity').fill('0');
    await page.getByLabel('Opacity').press('Enter');
    await until(() => colourAt(page, 405, 195)).toEqual(ground);
    await page.getByLabel('Opacity').fill('1');
    await page.getByLabel('Opacity').press('Enter');
    await until(() => colourAt(page, 405, 195)).toEqual([255, 0, 0]);
    await page.getByLabel('X', { exact: true }).last().fill('5000');
    await page.getByLabel('X', { exact: true }).last().press('Enter');
    await until(() => colourAt(page, 405, 195)).toEqual(ground);
    await page.getByLabel('Address of the picture').fill('http://a.example/plan.png');
    await page.locator('.panels').getByText('Write an address that begins with https://, or choose a file.').waitFor();
    await page.getByLabel('Address of the picture').press('Escape');
    await page.getByRole('tab', { name: 'Floors' }).click();
    await page.getByRole('button', { name: 'Add a floor' }).click();
    await page.getByRole('tab', { name: 'Chart' }).click();
    const own = page.getByRole('group', { name: 'Background picture of Floor 2' });
    await own
      .getByLabel('From a file')
      .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from(red.split(',')[1]!, 'base64') });
    await until(async () => (await document()).floors[1].backgroundImage?.url).toBe(red);
    expect((await document()).floors[0].backgroundImage).toBeUndefined();
    const shared = page.getByRole('group', { name: 'Background picture of all floors' });
    await shared.getByRole('button', { name: 'Take the picture away' }).click();
    await until(async () => (await document()).backgroundImage).toBeUndefined();
    expect(faults).toEqual([]);
    await page.close();
  });

  test('has no tabs and no brushes that a session forbids', async () => {
    const off = { floors: false, zones: false, accessibility: false, painting: false, background: false };
    const { page, select } = await open({ grant: { features: { ...off, labels: false } } });
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Selection', 'Categories', 'Chart', 'Issues']);
    await page.getByRole('tab', { name: 'Categories' }).click();
    await page.getByRole('button', { name: 'Paint: Restricted view' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Paint: (Front|Wheelchair)/ }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Selection' }).click();
    await select('r1', 'r2');
    await page.getByRole('checkbox', { name: 'Restricted view' }).waitFor();
    await expect.poll(() => page.getByLabel('Category').count()).toBe(0);
    await expect.poll(() => page.getByText('Labels in a sequence').count()).toBe(0);
    expect(await page.getByLabel('Label', { exact: true }).isDisabled()).toBe(true);
    await page.close();
  });

  test('marks places for a session that only looks, and paints nothing', async () => {
    const { page, document } = await open({ grant: { authority: 'read-only' } });
    await page.getByRole('tab', { name: 'Categories' }).click();
    const before = await colourAt(page, 283, 163);
    await page.getByRole('button', { name: 'Show: Restricted view' }).click();
    await page.locator('.marked').getByText('Restricted view: 0 places').waitFor();
    await until(() => colourAt(page, 283, 163)).not.toEqual(before);
    const at = await onScreen(page, 240, 160);
    await page.mouse.click(at.x, at.y);
    expect((await document()).objects[1].overrides).toBeUndefined();
    await page.close();
  });
});

const bench = `document.querySelector('#designer').shell.bench`;

/** Keeps the texts that the map draws from now on. */
const listening = `(() => {
  window.drawn = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
    window.drawn.push(text);
    fillText.call(this, text, ...at);
  };
})()`;

/** The number on the first seat of each row, from the top. */
const firstNumbers = `() => {
  const { hall, live } = ${bench}.board;
  return live.objects.filter(({ type }) => type === 'row').map((row) => hall.numbers[live.spotsOf(row)[0]]);
}`;

/** Whether the map has pixels in the red of issues. */
const hasRed = `(() => {
  const canvas = document.querySelector('.canvas canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4) if (data[at] === 179 && data[at + 1] === 38 && data[at + 2] === 30) return true;
  return false;
})()`;

async function onScreen(page: Json, x: number, y: number): Promise<{ x: number; y: number }> {
  return page.evaluate(`(() => {
    const { left, top } = document.querySelector('.map').getBoundingClientRect();
    const at = ${bench}.board.view.toScreen({ x: ${x}, y: ${y} });
    return { x: left + at.x, y: top + at.y };
  })()`);
}

/** The red, green and blue of the map at a point of the chart. */
async function colourAt(page: Json, x: number, y: number): Promise<number[]> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('.canvas canvas');
    const at = ${bench}.board.view.toScreen({ x: ${x}, y: ${y} });
    const ratio = canvas.width / canvas.clientWidth;
    return [...canvas.getContext('2d').getImageData(at.x * ratio, at.y * ratio, 1, 1).data].slice(0, 3);
  })()`);
}

const isNear = (one: number[], other: number[]): boolean => one.every((each, at) => Math.abs(each - other[at]!) < 12);

/** Whether an element covers one of the others. */
async function covered(page: Json, over: string, others: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const a = document.querySelector(${JSON.stringify(over)}).getBoundingClientRect();
    return [...document.querySelectorAll(${JSON.stringify(others)})].some((each) => {
      const b = each.getBoundingClientRect();
      return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    });
  })()`);
}
