/**
 * An empty chart offers templates, and a chart leaves as a file: by mouse, by keys, and only where features allow it.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { People } from './people.ts';

describeInBrowser('an empty chart and files', { timeout: 180_000 }, (office) => {
  const people = new People(office);
  afterEach(() => people.close());

  test('a template in chosen sizes is drawn, saved, published, and taken back', async () => {
    const chart = await people.newChart(null, { name: 'Our house' });
    const { page, button, state, violations, faults } = await people.drawing(chart);
    await page.getByRole('heading', { name: 'Start with a template' }).waitFor();
    await button(/^Theatre with balcony/).waitFor();
    await expect.poll(() => page.locator('.start-card').count()).toBe(7);
    expect(await violations()).toEqual([]);
    await button(/^Classroom/).click();
    const rows = page.getByRole('spinbutton', { name: /^Rows/ });
    await expect.poll(() => rows.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await rows.fill('1');
    await page.getByText('Write whole numbers within the bounds.').waitFor();
    await rows.fill('3');
    await page.getByRole('spinbutton', { name: /^Desks in a row/ }).fill('2');
    await page.locator('.start').getByText('12 places').waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.status').getByText('12 places').waitFor();
    await page.locator('.start').waitFor({ state: 'detached' });
    expect(await page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('application');
    await expect.poll(async () => (await people.stored(chart)).meta.seatTotal, { timeout: PATIENCE_MS }).toBe(12);
    expect((await people.stored(chart)).doc).toMatchObject({ name: 'Our house', template: { id: 'classroom' } });
    await page.keyboard.press('ControlOrMeta+z');
    await page.getByRole('heading', { name: 'Start with a template' }).waitFor();
    await button('Redo').click();
    await page.locator('.status').getByText('12 places').waitFor();
    await state('Saved');
    await office.post(`/v1/charts/${chart.id}/publish`, {});
    expect(faults).toEqual([]);
  });

  test('a person draws from nothing, by a button or by a tool, and later deletes without a new offer', async () => {
    const one = await people.newChart(null);
    const other = await people.newChart(null);
    const ann = await people.drawing(one);
    await ann.button('Draw from nothing').click();
    await ann.page.locator('.start').waitFor({ state: 'detached' });
    expect(await ann.page.evaluate(`document.activeElement.getAttribute('role')`)).toBe('application');
    const ben = await people.drawing(other);
    await ben.page.locator('.start').waitFor();
    await ben.button('Booth').click();
    await ben.page.locator('.start').waitFor({ state: 'detached' });
    await ben.page.locator('.map').click({ position: { x: 300, y: 300 } });
    await ben.page.locator('.status').getByText('1 place', { exact: true }).waitFor();
    await ben.button('Select').click();
    await ben.page.locator('.map').focus();
    await ben.page.keyboard.press('ControlOrMeta+a');
    await ben.page.keyboard.press('Delete');
    await ben.page.locator('.status').getByText('0 places').waitFor();
    await expect.poll(() => ben.page.locator('.start').count()).toBe(0);
  });

  test('a chart is written as its document, as CSV and for pretix, with what each leaves out', async () => {
    const chart = await people.newChart();
    const ann = await people.drawing(chart);
    await ann.state('Saved');
    // Files have the chart as it is on the page, saved or not.
    await ann.page.route('**/v1/charts/**', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await ann.change('b1', {
      label: 'Uno',
      type: 'row',
      origin: { x: 0, y: 0 },
      curve: 0,
      seatCount: 2,
      seatSpacing: 20,
    });
    await ann.button('Export').click();
    const dialog = ann.page.getByRole('dialog', { name: 'Export this chart' });
    await dialog.waitFor();
    const document = await fileOf(ann.page, 'Chart document');
    expect(document.name).toBe('Studio.json');
    expect(JSON.parse(document.text)).toEqual(await ann.document());
    const loaded = (): Promise<string[]> =>
      ann.page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))`);
    expect((await loaded()).filter((name) => /^(exports|templates)-/.test(name))).toEqual([]);
    const csv = await fileOf(ann.page, 'CSV');
    expect((await loaded()).filter((name) => /^exports-/.test(name))).toHaveLength(1);
    expect([csv.name, csv.text.match(/^.*Uno-\d.*$/gm)?.length]).toEqual(['Studio.csv', 2]);
    await dialog.getByText(/The format has no place for: 2 booths, /).waitFor();
    const pretix = await fileOf(ann.page, 'pretix');
    expect(pretix.name).toBe('Studio.pretix.json');
    expect(JSON.parse(pretix.text).zones[0].rows[0].row_number).toBe('Uno');
    expect(await ann.violations()).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await ann.page.evaluate('document.activeElement.textContent')).toBe('Export');
    expect(ann.faults).toEqual([]);
  });

  test('sessions without export and templates show neither, and a reader exports and starts nothing', async () => {
    const chart = await people.newChart(null);
    const plain = await people.drawing(chart, { features: { export: false, templates: false } });
    await plain.state('Saved');
    expect([await plain.button('Export').count(), await plain.page.locator('.start').count()]).toEqual([0, 0]);
    const reader = await people.drawing(chart, { authority: 'read-only' });
    await reader.state('View only');
    await expect.poll(() => reader.page.locator('.start').count()).toBe(0);
    await reader.button('Export').click();
    expect((await fileOf(reader.page, 'Chart document')).name).toBe('Studio.json');
    const strict = await people.drawing(chart, { features: { rows: false } });
    await strict.button(/^Classroom/).click();
    await strict.button('Draw it').click();
    await strict.page.getByText('This session cannot change this part of the chart (rows).').first().waitFor();
  });
});

async function fileOf(page: Page, format: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: format, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile((await download.path())!, 'utf8') };
}
