/**
 * "Draw your own" in the demo: from the picker's page to a template, to the designer, to an event on sale and a held
 * seat, without an account.
 */
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { describeInBrowser } from './box-office.ts';
import { openPicker } from './picker.ts';

/** Two wide desks in three rows: few seats, so that one of them is easy to find. */
const school = { template: /Classroom/, sizes: { 'Rows (2 to 40)': '3', 'Desks in a row (2 to 20)': '2' } };

describeInBrowser('a visitor of the demo', { timeout: 180_000 }, (office) => {
  async function drawn(name: string) {
    const visitor = await openPicker(office, office.printedAddress());
    const { page } = visitor;
    await page.getByRole('link', { name: 'Draw your own venue' }).click();
    await page.getByRole('radio', { name: school.template }).check();
    for (const [label, value] of Object.entries(school.sizes)) await page.getByLabel(label).fill(value);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start drawing' }).click();
    const designer = page.frameLocator('parterre-designer iframe');
    await designer.getByText('12 places').waitFor();
    return { ...visitor, designer };
  }

  test('draws from a template, changes it, puts it on sale, and a seat of it is held', async () => {
    const { page, designer, live, timer, clickSeat, button, faults } = await drawn('My school');
    // The whole row of desk A-1 goes: two seats less.
    await designer.getByRole('application').first().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await designer.getByText('0 places').waitFor();
    await page.keyboard.press('Control+z');
    await designer.getByText('12 places').waitFor();
    await button('Put it on sale').click();
    await page.waitForURL(/\/demo#event=/);
    await live();
    await page.getByRole('heading', { name: 'My school' }).waitFor();
    await clickSeat('A-1');
    await button('Hold it for me').click();
    await timer.waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  test('goes on after a reload, learns what is wrong with an unfinished drawing, and starts another', async () => {
    const { page, designer, button } = await drawn('My hall');
    await page.reload();
    await designer.getByText('12 places').waitFor();
    await button('Start another').click();
    await page.getByRole('radio', { name: /Empty page/ }).check();
    await button('Start drawing').click();
    await designer.getByText('0 places').waitFor();
    await button('Put it on sale').click();
    await page.getByRole('alert').filter({ hasText: 'Nothing in this chart can be sold.' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });
});
