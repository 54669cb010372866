/**
 * Floors, zones and ticket types by their fields in a real browser: each field changes the document, and undo gives it
 * back.
 */
import { expect, test } from 'vitest';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { openDesigner } from './page.ts';

const until = <T>(read: () => T) => expect.poll(read, { timeout: PATIENCE_MS });

const row = { type: 'row', id: 'r1', label: 'A', origin: { x: 200, y: 100 }, rotation: 0, curve: 0 };
const hall = {
  version: 1,
  name: 'Studio',
  venueType: 'MIXED',
  focalPoint: { x: 400, y: 0 },
  categories: [{ key: 'stalls', label: 'Stalls', color: '#2f6f5e', price: 20 }],
  objects: [
    {
      type: 'section',
      id: 'west',
      label: 'West',
      outline: [
        { x: 100, y: 40 },
        { x: 700, y: 40 },
        { x: 700, y: 200 },
      ],
    },
    { ...row, seatCount: 10, seatSpacing: 40, categoryKey: 'stalls' },
  ],
};

describeInBrowser('the fields of the venue', { timeout: 240_000 }, (office) => {
  const open = () => openDesigner(office, hall);
  type Opened = Awaited<ReturnType<typeof open>>;

  /** Types into a field, and leaves it. */
  async function fill(field: ReturnType<Opened['page']['getByLabel']>, text: string): Promise<void> {
    await field.fill(text);
    await field.press('Enter');
  }

  test('a floor is named, gets a focal point, changes places with another, and leaves its objects when it goes', async () => {
    const { page, document, faults } = await open();
    const panel = page.getByRole('tabpanel');
    await page.getByRole('tab', { name: 'Floors' }).click();
    await page.getByRole('button', { name: 'Add a floor' }).click();
    const form = (at: number) => panel.locator('.forms').first().locator(':scope > li').nth(at);
    await fill(form(0).getByLabel('Name'), 'Stalls');
    await fill(form(1).getByLabel('Name'), ' ');
    await form(1).getByText('Write at least one character.').waitFor();
    await fill(form(1).getByLabel('Name'), 'Balcony');
    await fill(form(1).getByLabel('Y', { exact: true }), '-40');
    const floors = async () => (await document()).floors;
    await until(floors).toMatchObject([
      { name: 'Stalls', objects: hall.objects },
      { name: 'Balcony', objects: [], focalPoint: { x: 400, y: -40 } },
    ]);
    await form(1).getByRole('button', { name: 'Move up' }).click();
    await until(async () => (await floors()).map(({ name }: { name: string }) => name)).toEqual(['Balcony', 'Stalls']);
    await form(1).getByRole('button', { name: 'Show' }).click();
    await until(() =>
      page.locator('.floors').getByRole('button', { name: 'Stalls' }).getAttribute('aria-pressed'),
    ).toBe('true');
    await form(1).getByText('Without this floor, its objects go to Balcony.').waitFor();
    await form(1).getByRole('button', { name: 'Remove the floor' }).click();
    await until(floors).toMatchObject([{ name: 'Balcony', objects: hall.objects }]);
    await form(0).getByRole('button', { name: 'Remove the floor' }).click();
    await until(floors).toBeUndefined();
    expect((await document()).objects).toEqual(hall.objects);
    for (let step = 0; step < 7; step++) await page.keyboard.press('ControlOrMeta+Z');
    await until(document).toEqual(hall);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a zone is named, coloured, chosen by a section, and gone from it when it goes', async () => {
    const { page, document, select, faults } = await open();
    const panel = page.getByRole('tabpanel');
    await page.getByRole('tab', { name: 'Floors' }).click();
    await page.getByRole('button', { name: 'Add a zone' }).click();
    await fill(panel.getByLabel('Name'), 'Left');
    await panel.getByRole('textbox', { name: 'Colour' }).last().fill('#zz');
    await panel.getByText('Write a colour as # and six digits').waitFor();
    await fill(panel.getByRole('textbox', { name: 'Colour' }).last(), '#aa3311');
    await panel.getByRole('button', { name: 'Give it a focal point' }).click();
    await fill(panel.getByLabel('X', { exact: true }), '150');
    const zone = async () => (await document()).zones?.[0];
    await until(zone).toMatchObject({ label: 'Left', color: '#aa3311', focalPoint: { x: 150, y: 0 } });
    await select('west');
    await page.getByLabel('Zone').selectOption({ label: 'Left' });
    const { id } = await zone();
    await until(async () => (await document()).objects[0].zone).toBe(id);
    await page.getByRole('tab', { name: 'Floors' }).click();
    await panel.getByRole('button', { name: 'Take the focal point away' }).click();
    await until(async () => (await zone()).focalPoint).toBeUndefined();
    await panel.getByRole('button', { name: 'Remove the zone' }).click();
    await until(document).toEqual(hall);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a ticket type has a name, a price, kinds and companions, and leaves its price when it goes', async () => {
    const { page, document, select, faults } = await open();
    const panel = page.getByRole('tabpanel');
    await page.getByRole('tab', { name: 'Categories' }).click();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    await page.getByRole('button', { name: 'Add a ticket type' }).click();
    await page.getByRole('button', { name: 'Add a ticket type' }).click();
    const form = (at: number) => panel.locator('.tiers > li').nth(at);
    await fill(form(1).getByLabel('Name of the ticket type'), 'Companion');
    await fill(form(1).getByLabel('Price', { exact: true }), '1.5');
    await form(1).getByText('Write a whole number').waitFor();
    await fill(form(1).getByLabel('Price', { exact: true }), '0');
    await form(1).getByLabel('For companions only').check();
    await form(1).getByText('Only places of a kind').click();
    await form(1).getByLabel('Companion place').check();
    await fill(form(0).getByLabel('Only these places'), 'A-2, A-1, ,A-2');
    const tiers = async () => (await document()).categories[0].tiers;
    await until(tiers).toMatchObject([
      { name: 'Adult', price: 20 },
      { name: 'Companion', price: 0, restriction: 'companion', applicability: { accessibility: ['companion'] } },
    ]);
    expect((await tiers())[0].applicability.seatLabels).toEqual(['A-2', 'A-1']);
    await form(0).getByText('For 2 places').waitFor();
    await form(1).getByText('For 0 places').waitFor();
    await select('r1');
    await form(0).getByRole('button', { name: 'Add the selection' }).click();
    await form(0).getByText('For 10 places').waitFor();
    await form(0).getByRole('button', { name: 'Take the selection away' }).click();
    await page.locator('.notice').getByText('the last one stays').waitFor();
    await form(0).getByRole('button', { name: 'For all places' }).click();
    await form(0).getByText('For all places (10)').waitFor();
    await form(1).getByRole('button', { name: 'Move up' }).click();
    await form(0).getByRole('button', { name: 'Delete the ticket type' }).click();
    await form(0).getByRole('button', { name: 'Delete the ticket type' }).click();
    await until(async () => (await document()).categories).toEqual(hall.categories);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('prices with decimals, fees and prices before are kept in minor units, and read aloud by their names', async () => {
    const { page, document, faults, violations } = await open();
    const panel = page.getByRole('tabpanel');
    const field = (name: string) => panel.getByLabel(name, { exact: true });
    const category = async () => (await document()).categories[0];
    await page.getByRole('tab', { name: 'Categories' }).click();
    await field('Prices').selectOption({ label: 'With decimals, such as 12.50' });
    await until(async () => [(await document()).priceUnit, (await category()).price]).toEqual(['minor', 2000]);
    await panel.getByText('Price 20.00').waitFor();
    await page.getByRole('button', { name: /^Stalls/ }).click();
    await fill(field('Price'), '12.505');
    await panel.getByText('Write an amount from 0 to 10,000,000 with at most 2 decimals.').waitFor();
    await fill(field('Price'), '12.50');
    await fill(field('Price before'), '15');
    await page.getByRole('button', { name: 'Add a fee' }).click();
    await fill(field('Name of the fee'), 'Booking');
    await fill(field('Amount of Booking'), '1.5');
    await field('The price has the fees in it').check();
    const priced = { price: 1250, previousPrice: 1500, fees: [{ name: 'Booking', amount: 150 }], allIn: true };
    await until(category).toMatchObject(priced);
    await page.getByRole('button', { name: 'Add a ticket type' }).click();
    await field('Fees of its own').check();
    await until(async () => (await category()).tiers[0]).toMatchObject({
      price: 1250,
      previousPrice: 1500,
      fees: priced.fees,
    });
    await panel.locator('.tiers').getByRole('button', { name: 'Delete Booking' }).click();
    await until(async () => (await category()).tiers[0].fees).toEqual([]);
    await field('Prices').selectOption({ label: 'In whole units, such as 60' });
    await panel.getByText('Some prices have decimals.').waitFor();
    expect(await violations()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
