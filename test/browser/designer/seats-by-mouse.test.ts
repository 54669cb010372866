/**
 * Seats by the mouse, and the focal point of a hall that is drawn by hand: a block, single seats, a box, an aisle, and
 * the point on the map, in one walk.
 */
import { expect, test } from 'vitest';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { openDesigner } from './page.ts';

const until = <T>(read: () => T) => expect.poll(read, { timeout: PATIENCE_MS });
const hall = {
  version: 1,
  name: 'By hand',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [],
  objects: [],
};

describeInBrowser('a hall that is drawn by hand', { timeout: 240_000 }, (office) => {
  test('has its focal point before its rows, and its seats are chosen and cut by the mouse', async () => {
    const { page, document, onScreen, selected, hears, violations, faults } = await openDesigner(office, hall);
    const at = async (x: number, y: number) => {
      const on = await onScreen(x, y);
      return [on.x, on.y] as const;
    };
    const tool = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const click = async (x: number, y: number) => page.mouse.click(...(await at(x, y)));
    const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
      await page.mouse.move(...(await at(...from)));
      await page.mouse.down();
      await page.mouse.move(...(await at(...to)), { steps: 4 });
      await page.mouse.up();
    };
    const seats = async (): Promise<number[]> =>
      page.evaluate(`[...document.querySelector('#designer').editor.selection.seats.values()].map(({ size }) => size)`);
    const point = async () => (await document()).focalPoint;

    // The panel follows what is drawn, and the first rows bring a category.
    await page.getByRole('tab', { name: 'Categories' }).click();
    await tool('Block of rows');
    await drag([400, 300], [832, 428]);
    await page.getByRole('heading', { name: '5 rows' }).waitFor();
    expect(await point()).toEqual({ x: 616, y: 240, supposed: true });
    expect((await document()).categories).toMatchObject([{ key: 'standard' }]);
    await page.getByText('5 objects').waitFor();

    // A click takes the row, another its seat, and Shift adds seats of this row and of another.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await click(424, 300);
    await until(selected).toHaveLength(1);
    await click(424, 300);
    await page.keyboard.down('Shift');
    await click(496, 300);
    await click(448, 332);
    await page.keyboard.up('Shift');
    await until(seats).toEqual([2, 1]);
    expect(await selected()).toEqual([]);
    await page.keyboard.down('Control');
    await click(496, 300);
    await page.keyboard.up('Control');
    await until(seats).toEqual([1, 1]);

    // A box, and an aisle through all rows, whose numbers go on behind it.
    await tool('Select seats');
    await drag([410, 290], [500, 400]);
    await until(seats).toEqual([4, 4, 4, 4]);
    await hears(/16 seats selected/);
    await tool('Aisle');
    await drag([616, 280], [616, 440]);
    await hears(/An aisle through 5 rows/);
    expect((await document()).objects[0]).toMatchObject({ seatNumbering: { countSkipped: false } });
    expect(await violations()).toEqual([]);

    // The issues name what is missing, and lead to it.
    await page.getByRole('tab', { name: /^Issues/ }).click();
    await page.getByText('Standard has no price, so buyers cannot have its places.').waitFor();
    await page.getByRole('button', { name: 'Set the price' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Parkett');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await until(async () => (await document()).objects[0].categoryKey).toBe('parkett');

    // The point on the map.
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByText('Nobody has set it').waitFor();
    await page.getByRole('button', { name: 'Set it on the map' }).click();
    await click(620, 500);
    await hears(/Focal point set/);
    expect((await point()).supposed).toBeUndefined();
    expect(Math.round((await point()).y / 10)).toBe(50);
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('button', { name: 'Let it follow' }).click();
    await until(point).toEqual({ x: 616, y: 240, supposed: true });
    expect(await violations()).toEqual([]);

    // A floor above: the stalls shine through, and the camera stays.
    const before = await onScreen(0, 0);
    await page.getByRole('tab', { name: 'Floors' }).click();
    await page.getByRole('button', { name: 'Add a floor' }).click();
    await until(async () => (await document()).floors?.length).toBe(2);
    expect(await onScreen(0, 0)).toEqual(before);
    expect(faults).toEqual([]);
    await page.close();
  });
});
