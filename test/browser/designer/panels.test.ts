/**
 * The panels of the designer in a real browser: labels and numbers with their preview, duplicates while typing, the
 * brush, fields that refuse bad values, a read-only session, and WCAG 2.2 AA by axe-core in each tab.
 */
import { expect, test } from 'vitest';
import { smallTargets } from '../axe-faults.ts';
import { describeInBrowser, type Json, PATIENCE_MS } from '../box-office.ts';
import { openDesigner } from './page.ts';

const row = (id: string, label: string, y: number) => ({
  type: 'row',
  id,
  label,
  origin: { x: 200, y },
  rotation: 0,
  curve: 0,
  seatCount: 10,
  seatSpacing: 40,
  categoryKey: 'stalls',
});
const hall = {
  version: 1,
  name: 'Studio',
  venueType: 'MIXED',
  focalPoint: { x: 400, y: 0 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#2f6f5e', price: 20 },
    { key: 'vip', label: 'Front', color: '#8c2f39', price: 45 },
  ],
  objects: [
    row('r1', 'A', 100),
    row('r2', 'B', 160),
    row('r3', 'C', 220),
    {
      type: 'table',
      id: 't1',
      label: 'T1',
      center: { x: 400, y: 340 },
      shape: 'round',
      seatCount: 6,
      categoryKey: 'vip',
    },
    {
      type: 'gaArea',
      id: 'ga',
      label: 'Floor',
      capacity: 30,
      categoryKey: 'stalls',
      points: [
        { x: 600, y: 100 },
        { x: 760, y: 100 },
        { x: 760, y: 220 },
      ],
    },
  ],
};

describeInBrowser('the panels of the designer', { timeout: 240_000 }, (office) => {
  const open = (looks: Parameters<typeof openDesigner>[2] = {}, doc: object = hall) => openDesigner(office, doc, looks);

  const labelsOf = ({ objects }: Json): string[] => objects.map(({ label }: Json) => label);

  test('a row is renamed by the keyboard, and the map shows the labels while they are typed', async () => {
    const { page, faults, document, stored } = await open();
    await page.locator('.map').focus();
    await page.keyboard.press(']');
    const label = page.getByLabel('Label', { exact: true });
    await label.focus();
    const onMap = () => page.evaluate(`(${numbersOnMap})()`);
    const numbers = Array.from({ length: 10 }, (_, index) => String(index + 1));
    expect(await onMap()).toEqual(numbers);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Q');
    await expect.poll(onMap).toEqual(numbers.map((number) => `Q-${number}`));
    expect(labelsOf(await document())).not.toContain('Q');
    await page.keyboard.press('Escape');
    await expect.poll(onMap).toEqual(numbers);
    await expect.poll(() => label.inputValue()).toBe('A');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Q');
    await page.keyboard.press('Enter');
    await expect.poll(async () => labelsOf(await document())).toContain('Q');
    // The field keeps the focus, and the server gets the label.
    expect(await label.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await expect.poll(async () => labelsOf((await stored()).doc), { timeout: PATIENCE_MS }).toContain('Q');
    await page.keyboard.press('ControlOrMeta+Z');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a duplicate shows while it is typed, with the way to the other object', async () => {
    const { page, select, hears, selected, document } = await open();
    await select('r2');
    const label = page.getByLabel('Label', { exact: true });
    await label.fill('A');
    await page.getByText('A-1 is also a label of Row A, and so are 9 more.').first().waitFor();
    await hears(/A-1 is also a label of Row A/);
    expect(labelsOf(await document())).toContain('B');
    // The field is left first: what it leaves is drawn anew, and a press during the drawing finds no button.
    await label.press('Tab');
    await page.getByRole('button', { name: 'Show Row A' }).click();
    await expect.poll(selected).toEqual(['r1']);
    // Leaving the field keeps what was typed, so the clash is still told, and the list of issues has it.
    await page.getByText('A-1 is also a label of Row A, and so are 9 more.').first().waitFor();
    await page.getByRole('tab', { name: /^Issues 1$/ }).click();
    await page.getByText('Duplicate label: A-1 (and 9 more)').waitFor();
    await page.close();
  });

  test('many rows get numbers and labels by a scheme, with letters left out', async () => {
    const { page, select, document, hears } = await open();
    await select('r1', 'r2', 'r3');
    await page.getByLabel('Numbers', { exact: true }).selectOption({ label: '1, 3, 5 … (odd)' });
    await page.getByText('1 3 5 7 … 13 15 17 19').waitFor();
    await page.getByLabel('First number').fill('1.5');
    await page.getByLabel('First number').press('Enter');
    await hears(/Write a whole number/);
    await page.getByLabel('First number').fill('101');
    await page.getByLabel('First number').press('Enter');
    await page.getByText('101 103 105 107 … 113 115 117 119').waitFor();
    expect((await document()).objects[2]).toMatchObject({
      seatLabelStart: 101,
      seatNumbering: { direction: 'ltr', scheme: 'odd' },
    });

    await page.getByText('Labels in a sequence').click();
    await page.getByLabel('Begin with').fill('7');
    await page.locator('.panels').getByText('“7” is no start of letters').waitFor();
    await page.getByLabel('Begin with').fill('H');
    await page.getByLabel('Leave out').fill('I, J');
    await page.getByText('H, K, and L').waitFor();
    expect(labelsOf(await document()).slice(0, 3)).toEqual(['A', 'B', 'C']);
    await page.getByRole('button', { name: 'Set these labels' }).click();
    await expect.poll(async () => labelsOf(await document()).slice(0, 3)).toEqual(['H', 'K', 'L']);
    await page.close();
  });

  test('a category is painted by dragging and by the keyboard, and the counts are those of the server', async () => {
    const { page, document, selectSeats, stored, onScreen } = await open();
    await page.getByRole('tab', { name: 'Categories' }).click();
    await page.getByRole('button', { name: /^Front 6 places$/ }).waitFor();
    await page.getByRole('button', { name: 'Paint: Front' }).click();
    const from = await onScreen(200, 100);
    const to = await onScreen(360, 100);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Front 11 places$/ }).waitFor();
    expect((await document()).objects[0].overrides).toHaveLength(5);
    // A whole row becomes the row's own category.
    const end = await onScreen(560, 160);
    const start = await onScreen(200, 160);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 18 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Front 21 places$/ }).waitFor();
    const second = (await document()).objects[1];
    expect([second.categoryKey, second.overrides]).toEqual(['vip', undefined]);

    await page.getByRole('button', { name: 'Paint: Front' }).click();
    await page.getByRole('tab', { name: 'Selection' }).click();
    await selectSeats('r3', 0, 1);
    await page.getByLabel('Category').selectOption({ label: 'Front' });
    await page.getByText('Accessibility', { exact: true }).click();
    await page.getByLabel('Wheelchair place').check();
    await page.getByLabel('Restricted view').check();
    expect((await document()).objects[2].overrides).toEqual(
      [0, 1].map((index) => ({
        index,
        categoryKey: 'vip',
        accessibility: ['wheelchair'],
        restrictedView: true,
      })),
    );
    const counted = async () => (await stored()).categorySeats;
    await expect.poll(counted, { timeout: PATIENCE_MS }).toEqual({ stalls: 43, vip: 23 });
    await page.close();
  });

  test('a category with seats asks who gets them, and bad values change nothing', async () => {
    const { page, document } = await open();
    await page.getByRole('tab', { name: 'Categories' }).click();
    await page.getByRole('button', { name: /^Front/ }).click();
    await page.getByLabel('Price', { exact: true }).fill('4.5');
    await page.getByLabel('Price', { exact: true }).press('Enter');
    await page.locator('.panels').getByText('Write a whole number from 0 to 10,000,000.').waitFor();
    expect(await page.getByLabel('Price', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Key', { exact: true }).fill('stalls');
    await page.locator('.panels').getByText('Another category has the key stalls.').waitFor();
    await page.getByLabel('Key', { exact: true }).press('Escape');
    expect((await document()).categories).toEqual(hall.categories);
    await page.locator('.panels').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByLabel('Move its seats to').selectOption({ label: 'Stalls' });
    await page.getByRole('button', { name: 'Move the seats and delete' }).click();
    await expect.poll(async () => (await document()).categories.length).toBe(1);
    expect((await document()).objects[3].categoryKey).toBe('stalls');
    await page.close();
  });

  test('an area keeps the labels of its places when it grows, and a table is sold as a whole', async () => {
    const { page, document, select } = await open();
    await select('ga');
    await page.getByLabel('Places', { exact: true }).fill('-1');
    await page.getByLabel('Places', { exact: true }).press('Enter');
    await page.locator('.panels').getByText('Write a number from 0 to 100,000.').waitFor();
    await page.getByLabel('Places', { exact: true }).fill('40');
    await page.getByLabel('Places', { exact: true }).press('Enter');
    await expect.poll(async () => (await document()).objects[4].capacity).toBe(40);
    await select('t1');
    await page.getByLabel('Sold', { exact: true }).selectOption({ label: 'As a whole, for a number of guests' });
    await page.getByLabel('Fewest guests').fill('8');
    await page.getByLabel('Fewest guests').press('Enter');
    expect((await document()).objects[3]).toMatchObject({ variableOccupancy: true, minOccupancy: 8 });
    await page.getByRole('tab', { name: /^Issues/ }).click();
    await page.getByText('The fewest guests are more than the most.').waitFor();
    await page.close();
  });

  test('a read-only session shows all values and changes none', async () => {
    const { page, select, faults } = await open({ grant: { authority: 'read-only' } });
    await select('r1');
    await page.getByText('This session changes nothing.').waitFor();
    expect(await page.getByLabel('Label', { exact: true }).isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'Chart' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Studio');
    expect(faults).toEqual([]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)(
    'each tab is clean in %s, and its targets are large enough',
    async (colorScheme) => {
      const { page, select, violations, faults } = await open({ colorScheme });
      const states: [string, () => Promise<unknown>][] = [
        ['nothing', async () => {}],
        ['a row', () => select('r1')],
        ['rows', () => select('r1', 'r2')],
        ['a clash', () => page.getByLabel('Label', { exact: true }).fill('C')],
        ['a table', () => select('t1')],
        ['categories', () => page.getByRole('tab', { name: 'Categories' }).click()],
        ['a category', () => page.getByRole('button', { name: /^Front/ }).click()],
        ['a ticket type', () => page.getByRole('button', { name: 'Add a ticket type' }).click()],
        ['its end', () => page.locator('.panels').getByRole('button', { name: 'Delete', exact: true }).click()],
        ['floors', () => page.getByRole('tab', { name: 'Floors' }).click()],
        ['a floor', () => page.getByRole('button', { name: 'Add a floor' }).click()],
        ['a zone', () => page.getByRole('button', { name: 'Add a zone' }).click()],
        ['the chart', () => page.getByRole('tab', { name: 'Chart' }).click()],
        ['issues', () => page.getByRole('tab', { name: /^Issues/ }).click()],
      ];
      for (const [state, enter] of states) {
        await enter();
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
        expect(await violations(), state).toEqual([]);
        expect(await smallTargets(page, '.panels'), state).toEqual([]);
      }
      expect(faults).toEqual([]);
      await page.close();
    },
  );
});

/** The texts on the seats of the first row. */
const numbersOnMap = `() => {
  const { hall } = document.querySelector('#designer').shell.bench.board.live;
  return hall.numbers.filter((_, spot) => hall.objects[hall.objectOf[spot]].id === 'r1');
}`;
