/**
 * Drawing in the designer, in a real browser: a small theatre from nothing by mouse, the same by keyboard alone, and a
 * seat of it sold. Beside it: selecting, moving, turning, snapping and undo by pointer and by keys, and WCAG 2.2 AA by
 * axe-core in each state.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults, smallTargets } from '../axe-faults.ts';
import { describeInBrowser, type Json } from '../box-office.ts';
import { openDesigner } from './page.ts';

type At = readonly [number, number];

const empty = {
  version: 1,
  name: 'Little theatre',
  venueType: 'SIMPLE',
  focalPoint: { x: 600, y: 80 },
  categories: [{ key: 'stalls', label: 'Stalls', color: '#2f6f5e', price: 20 }],
  objects: [],
};

describeInBrowser('drawing in the designer', { timeout: 240_000 }, (office) => {
  /** Somebody at the designer's page of a new chart. */
  async function open(doc: object = empty) {
    const drawn = await openDesigner(office, doc);
    const objects = async (): Promise<Json[]> => (await drawn.document()).objects;
    return { ...drawn, objects, ...handsOn(drawn.page) };
  }

  async function sell(chartId: string, label: string): Promise<void> {
    const { meta: event } = await office.post('/v1/events', { chartId });
    const book = (bookingRef: string) =>
      office.ask('POST', `/v1/events/${event.key}/book`, { labels: [label], bookingRef });
    expect((await book('order-1')).status).toBeLessThan(300);
    expect((await book('order-2')).status).toBe(409);
  }

  test('draws a small theatre from nothing by mouse, publishes it and sells a seat', async () => {
    const { page, faults, chartId, click, drag, tool, objects } = await open();
    await tool('Rectangle');
    await drag([500, 60], [800, 120]);
    await tool('Block of rows');
    await click([420, 220]);
    await click([680, 340]);
    await tool('Curved row');
    await click([420, 420]);
    await click([680, 420]);
    await click([550, 450]);
    await tool('Section with corners');
    for (const corner of [
      [380, 180],
      [720, 180],
      [760, 500],
      [340, 500],
      [380, 180],
    ] as const)
      await click(corner);
    await tool('Round table');
    await click([880, 260]);
    await tool('Standing area');
    await click([820, 420]);
    await click([980, 520]);
    const drawn = await objects();
    const kinds = drawn.map(({ type }: Json) => type);
    expect(new Set(kinds)).toEqual(new Set(['shape', 'row', 'section', 'table', 'gaArea']));
    const rows = drawn.filter(({ type }: Json) => type === 'row').map(({ label }: Json) => label);
    expect(rows.join('')).toBe('ABCDEFGHIJKLMNOP'.slice(0, rows.length));
    expect(rows.length).toBeGreaterThan(3);
    await publish(page);
    await sell(chartId, 'A-1');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('draws the same by keyboard alone, and says each step', async () => {
    const { page, faults, chartId, hears, objects } = await open();
    const { keyboard } = page;
    /** Steps of the grid, from the middle of the map. */
    const go = async (key: string, steps: number) => {
      for (let step = 0; step < steps; step++) await keyboard.press(key);
    };
    /** A tool, and the keys that lead to each of its points. */
    const draw = async (tool: string, ...ways: (string | number)[][]) => {
      await keyboard.press(tool);
      for (const way of ways) {
        for (let at = 0; at < way.length; at += 2) await go(String(way[at]), Number(way[at + 1]));
        await keyboard.press('Enter');
      }
    };
    await focusMap(page);
    await keyboard.press('b');
    await hears(/Block of rows/);
    await keyboard.press('ArrowLeft');
    await keyboard.press('Enter');
    await hears(/1 point set/);
    await go('Shift+ArrowRight', 4);
    await go('Shift+ArrowDown', 3);
    await keyboard.press('Enter');
    await hears(/rows, \d+ seats/);
    await draw('t', ['Shift+ArrowRight', 4]);
    await hears(/Table 1, 8 chairs/);
    await draw('g', ['Shift+ArrowDown', 4], ['Shift+ArrowRight', 2, 'Shift+ArrowDown', 2]);
    await hears(/Area/);
    await draw('u', ['Shift+ArrowLeft', 12], ['Shift+ArrowRight', 4], ['Shift+ArrowLeft', 2, 'ArrowDown', 3]);
    await hears(/Added: Row \w+, \d+ seats/);
    await draw('s', ['Shift+ArrowLeft', 3, 'Shift+ArrowUp', 2], ['Shift+ArrowRight', 6, 'Shift+ArrowDown', 4]);
    await hears(/Added: .*Section 1/);
    await draw('d', ['Shift+ArrowDown', 4]);
    await hears(/Added: Shape/);
    const drawn = await objects();
    const kinds = drawn.map(({ type }: Json) => type);
    expect(new Set(kinds)).toEqual(new Set(['row', 'table', 'gaArea', 'section', 'shape']));
    expect(drawn.find(({ curve }: Json) => curve).curve).not.toBe(0);
    await keyboard.press('Escape');
    await keyboard.press('[');
    await hears(/Section 1 selected/);
    await keyboard.press('ArrowRight');
    await hears(/Moved by 10, 0/);
    await keyboard.press('.');
    await hears(/Turned/);
    await keyboard.press('Control+z');
    await hears(/Undone: Turned/);
    expect(await page.evaluate('document.activeElement.className')).toContain('map');
    await tabTo(page, 'Publish');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Publish this chart' }).waitFor();
    await page.getByRole('button', { name: 'Publish now' }).waitFor();
    await tabTo(page, 'Publish now');
    await keyboard.press('Enter');
    await page
      .locator('dialog.publish')
      .getByText(/published/i)
      .first()
      .waitFor();
    await sell(chartId, 'A-1');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('selects, moves with a section’s seats, snaps, deletes and takes back', async () => {
    const row = (id: string, label: string, y: number) => ({
      type: 'row',
      id,
      label,
      origin: { x: 300, y },
      rotation: 0,
      curve: 0,
      seatCount: 10,
      seatSpacing: 24,
      categoryKey: 'stalls',
    });
    const outline = [
      { x: 260, y: 260 },
      { x: 560, y: 260 },
      { x: 560, y: 400 },
      { x: 260, y: 400 },
    ];
    const section = { type: 'section', id: 's', label: 'Stalls', outline };
    const { page, faults, onScreen, objects, selected } = await open({
      ...empty,
      objects: [section, row('a', 'A', 300), row('b', 'B', 340), row('c', 'C', 600)],
    });
    const press = async (x: number, y: number, to?: At) => {
      const from = await onScreen(x, y);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      if (to) {
        const end = await onScreen(...to);
        await page.mouse.move(end.x, end.y, { steps: 6 });
      }
      await page.mouse.up();
    };
    await press(324, 300);
    await expect.poll(selected).toEqual(['a']);
    await press(324, 300);
    await expect
      .poll(() => page.evaluate('[...document.querySelector("#designer").editor.selection.seats.get("a")]'))
      .toEqual([1]);
    await press(250, 598, [620, 620]);
    await expect.poll(selected).toEqual([]);
    await press(280, 580, [620, 620]);
    await expect.poll(selected).toEqual(['c']);
    await press(275, 275);
    await expect.poll(selected).toEqual(['s']);
    // A drag by 97 units snaps to the grid, which has 10.
    await press(275, 275, [372, 275]);
    const moved = await objects();
    expect(moved[0].outline[0]).toEqual({ x: 360, y: 260 });
    expect(moved.find(({ id }: Json) => id === 'a').origin).toEqual({ x: 400, y: 300 });
    expect(moved.find(({ id }: Json) => id === 'c').origin.x).toBe(300);
    await page.keyboard.press('Control+z');
    expect((await objects())[0].outline[0].x).toBe(260);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    expect(await objects()).toEqual([]);
    await page.keyboard.press('Control+z');
    expect((await objects()).length).toBe(4);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+d');
    expect((await objects()).length).toBe(8);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('makes rows longer, splits and joins them by keys, and draws blocks with aisles', async () => {
    const line = { type: 'row', id: 'a', label: 'A', origin: { x: 300, y: 300 }, rotation: 0, curve: 0 };
    const row = { ...line, seatCount: 10, seatSpacing: 24, categoryKey: 'stalls' };
    const { page, faults, click, hears, objects, tool } = await open({ ...empty, objects: [row] });
    const counts = async () => (await objects()).map(({ seatCount }: Json) => seatCount);
    await focusMap(page);
    for (const [keys, wanted] of [
      ['Control+a', [10]],
      ['Shift+e', [11]],
      ['Shift+d', [6, 5]],
      ['Shift+j', [11]],
    ] as const) {
      await page.keyboard.press(keys);
      expect(await counts()).toEqual(wanted);
    }
    await page.keyboard.press('Shift+u');
    await hears(/None of these rows is joined/);
    await tool('Block of rows');
    await page.getByLabel('Seats between aisles').fill('3');
    await click([120, 520]);
    await click([900, 640]);
    expect((await objects())[1].segmentedRow).toMatchObject({ boundaryBefore: 'start' });
    expect((await objects())[2]).toMatchObject({ seatLabelStart: 4, segmentedRow: { boundaryBefore: 'gap' } });
    expect(faults).toEqual([]);
    await page.close();
  });

  test('has no fault of accessibility: empty, drawing, selection, list, dialogs, narrow and dark', async () => {
    const { page, faults, click, tool } = await open();
    expect(await axeFaults(page)).toEqual([]);
    await tool('Block of rows');
    await click([420, 220]);
    expect(await axeFaults(page)).toEqual([]);
    await click([680, 340]);
    await tool('Select');
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar', { name: 'Arrange' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await smallTargets(page, '#designer')).toEqual([]);
    await page.keyboard.press('Control+Shift+f');
    await page.getByLabel('Find objects').fill('row a');
    await page.getByText('1 object found').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a command' }).fill('align l');
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await focusMap(page);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 900, height: 700 });
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});

function handsOn(page: Page) {
  const inMap = async ([x, y]: At): Promise<[number, number]> => {
    const box = (await page.locator('.map').boundingBox())!;
    return [box.x + x, box.y + y];
  };
  return {
    click: async (at: At) => {
      const [x, y] = await inMap(at);
      await page.mouse.move(x, y, { steps: 2 });
      await page.mouse.click(x, y);
    },
    drag: async (from: At, to: At) => {
      await page.mouse.move(...(await inMap(from)));
      await page.mouse.down();
      await page.mouse.move(...(await inMap(to)), { steps: 5 });
      await page.mouse.up();
    },
    tool: (name: string) => page.getByRole('button', { name, exact: true }).click(),
  };
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.locator('dialog.publish');
  await dialog.getByRole('button', { name: 'Publish now' }).click();
  await dialog
    .getByText(/published/i)
    .first()
    .waitFor();
}

/** By the tab key alone. */
async function focusMap(page: Page): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if (await page.evaluate('document.activeElement?.classList.contains("map")')) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The tab key never came to the map.');
}

async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = `document.activeElement?.textContent.trim() === ${JSON.stringify(name)}`;
  for (let step = 0; step < 80; step++) {
    if (await page.evaluate(isThere)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The tab key never came to ${name}.`);
}
