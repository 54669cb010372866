/**
 * The designer by keys alone, beyond drawing: single seats, handles of objects, copies, floors and the size of the
 * grid. Beside it, the tools and commands that a session leaves out.
 */
import { expect, test } from 'vitest';
import { describeInBrowser, type Json } from '../box-office.ts';
import { openDesigner } from './page.ts';

const square = (x: number, y: number, side: number) => [
  { x, y },
  { x: x + side, y },
  { x: x + side, y: y + side },
  { x, y: y + side },
];
const row = (id: string, label: string, y: number) => ({
  type: 'row',
  id,
  label,
  origin: { x: 200, y },
  rotation: 0,
  curve: 0,
  seatCount: 6,
  seatSpacing: 40,
  categoryKey: 'stalls',
});
const section = {
  type: 'section',
  id: 's',
  label: 'West',
  outline: square(160, 60, 300),
  holes: [square(180, 280, 40)],
};
const table = {
  type: 'table',
  id: 't',
  label: 'T1',
  shape: 'rect',
  center: { x: 700, y: 200 },
  width: 120,
  height: 60,
  seatCount: 6,
  rotation: 0,
  categoryKey: 'stalls',
};
const hall = {
  version: 1,
  name: 'Studio',
  venueType: 'MIXED',
  focalPoint: { x: 400, y: 0 },
  categories: [{ key: 'stalls', label: 'Stalls', color: '#2f6f5e', price: 20 }],
  objects: [row('a', 'A', 100), row('b', 'B', 160), section, table],
};

describeInBrowser('the designer by keys', { timeout: 240_000 }, (office) => {
  async function open(doc: object = hall, grant: object = {}) {
    const designer = await openDesigner(office, doc, { grant });
    const { page, document } = designer;
    await page.locator('.map').focus();
    return {
      ...designer,
      press: async (...keys: string[]) => {
        for (const each of keys) await page.keyboard.press(each);
      },
      object: async (id: string): Promise<Json> => (await document()).objects.find((each: Json) => each.id === id),
      isOnMap: () => page.evaluate('document.activeElement.classList.contains("map")'),
    };
  }

  test('a seat is taken at the cursor, others are added, and they leave a gap or split the row', async () => {
    const { page, faults, press, hears, object, document } = await open();
    await press(']', 'Enter');
    await hears(/^Seat A-1, Row A, 6 seats, 200, 100$/);
    await press('ArrowRight');
    await hears(/^Seat A-2, Row A/);
    await press('Enter');
    await hears(/^Seat A-2 selected$/);
    await press('ArrowRight', 'Shift+Enter');
    await hears(/^2 seats selected$/);
    await press('ArrowDown');
    await hears(/^Seat B-3, Row B/);
    await press('Escape', 'ArrowDown');
    await hears(/^Moved by 0, 10$/);
    expect((await object('a')).overrides).toEqual([
      { index: 1, dx: 0, dy: 10 },
      { index: 2, dx: 0, dy: 10 },
    ]);
    await press('Delete');
    expect((await object('a')).overrides).toEqual([
      { index: 1, skip: true },
      { index: 2, skip: true },
    ]);
    await press('Escape', ']', ']', 'Enter', 'ArrowRight', 'ArrowRight', 'Enter');
    await hears(/^Seat B-3 selected$/);
    await press('Shift+D');
    const counts = (await document()).objects
      .filter(({ type }: Json) => type === 'row')
      .map((each: Json) => each.seatCount);
    expect(counts).toEqual([6, 2, 4]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('Tab goes over the corners of a section and of its hole, then out of the map', async () => {
    const { page, faults, press, hears, object, select, isOnMap, violations } = await open();
    await select('s');
    await press('Tab');
    await hears(/^Corner 1 of 4, 160, 60$/);
    await press('ArrowLeft', 'Shift+ArrowUp', 'Control+ArrowUp');
    await hears(/^Corner 1 of 4, 150, 9$/);
    expect((await object('s')).outline[0]).toEqual({ x: 150, y: 9 });
    await press('Enter');
    await hears(/^Corner 2 of 5, 305, 35$/);
    expect(await violations()).toEqual([]);
    await press('Delete');
    await hears(/^Corner 2 of 4/);
    await press('Control+z');
    expect((await object('s')).outline).toHaveLength(5);
    await press('Tab', 'Tab', 'Tab', 'Tab');
    await hears(/^Hole 1, corner 1 of 4, 180, 280$/);
    await press('Delete');
    await hears(/^Hole 1, corner 1 of 3/);
    await press('Shift+Delete');
    expect((await object('s')).holes).toEqual([]);
    await hears(/^Turning handle/);
    await press('Tab');
    expect(await isOnMap()).toBe(false);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('handles make a table wider, lengthen a row, and bend a path', async () => {
    const path = {
      start: { x: 0, y: 400 },
      control1: { x: 50, y: 360 },
      control2: { x: 100, y: 360 },
      end: { x: 200, y: 400 },
    };
    const along = { ...row('p', 'P', 400), path };
    const { page, faults, press, hears, object, select } = await open({ ...hall, objects: [...hall.objects, along] });
    await select('t');
    await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab');
    await hears(/^Right edge, /);
    await press('Shift+ArrowRight', 'ArrowDown');
    const { width, height } = await object('t');
    expect([width > 150, height]).toEqual([true, 60]);
    await press('Escape', 'ArrowRight');
    await hears(/^Moved by 10, 0$/);
    await select('a');
    await press('Tab', 'Tab');
    await hears(/^Last seat of the row, 400, 100$/);
    await press('Shift+ArrowRight');
    expect(await object('a')).toMatchObject({ seatSpacing: 50, seatCount: 6 });
    await press('Tab');
    await hears(/^Bow of the row/);
    await press('Shift+ArrowDown');
    expect((await object('a')).curve).not.toBe(0);
    await press('Tab', 'ArrowRight');
    await hears(/^Turning handle/);
    await select('p');
    await press('Tab', 'Tab');
    await hears(/^First bend of the path, 50, 360$/);
    await press('ArrowUp');
    expect((await object('p')).path.control1).toEqual({ x: 50, y: 350 });
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a section is copied with its rows, and moves with them to another floor', async () => {
    const { page, faults, press, select, document, hears } = await open();
    await select('s');
    await press('Control+c', 'Control+v');
    await expect.poll(async () => (await document()).objects.length).toBe(7);
    await press('Control+v');
    // The same words again end with a space, so that a screen reader speaks them.
    await hears(/^3 selected\s$/);
    const labels = async () => (await document()).objects.map(({ label }: Json) => label);
    await expect.poll(labels).toEqual(['A', 'B', 'West', 'T1', 'C', 'D', 'West 2', 'E', 'F', 'West 3']);
    await page.getByRole('tab', { name: 'Floors' }).click();
    await page.getByRole('button', { name: 'Add a floor' }).click();
    await page.getByRole('group', { name: 'Floors' }).getByRole('button', { name: 'Floor 1' }).click();
    await select('s');
    await press('Control+k');
    const option = page.getByRole('option', { name: /^Move to floor/ });
    await page.getByRole('combobox', { name: 'Find a command' }).fill('move to floor');
    await option.first().waitFor();
    await press('Enter');
    await hears(/objects moved to/);
    expect((await document()).floors[1].objects.map(({ label }: Json) => label)).toContain('A');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the grid has a size', async () => {
    const { page, press, select, object } = await open();
    await page.getByLabel('Grid size').fill('25');
    await page.getByLabel('Grid size').press('Enter');
    await select('a');
    await page.locator('.map').focus();
    await press('ArrowRight');
    expect((await object('a')).origin.x).toBe(225);
    await page.getByLabel('Grid size').fill('0');
    await page.getByLabel('Grid size').press('Tab');
    expect(await page.getByLabel('Grid size').inputValue()).toBe('1');
    await page.close();
  });

  test('tools and commands that a session leaves out are absent', async () => {
    const features = { rows: false, painting: false, accessibility: false, views: false, categories: false };
    const { page, press, hears } = await open(hall, { features });
    const tools = page.getByRole('toolbar', { name: 'Tools' }).getByRole('button');
    const names = await tools.evaluateAll((buttons) => buttons.map((each) => each.getAttribute('aria-label')));
    expect(names).toContain('Round table');
    for (const name of ['Row', 'Block of rows', 'Brush']) expect(names).not.toContain(name);
    await press('r');
    await press('t');
    await hears(/^Round table/);
    await press('Control+k');
    await page.getByRole('combobox', { name: 'Find a command' }).fill('a seat more');
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
    await page.close();
    const reader = await open(hall, { authority: 'read-only' });
    await expect.poll(() => reader.page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await reader.select('t');
    await reader.press('Delete');
    expect((await reader.document()).objects).toHaveLength(4);
    await expect.poll(() => reader.page.getByRole('toolbar', { name: 'Arrange' }).count()).toBe(0);
    expect(await reader.violations()).toEqual([]);
    await reader.page.close();
  });
});
