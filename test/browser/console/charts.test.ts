/** The charts of the console: pictures, publishing, copies, the archive, the designer, a new chart and imports. */
import { beforeAll, expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

const named = (name: string) => ({ ...demoTheatre(), name });

describeInBrowser('charts in the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  beforeAll(async () => {
    theatre = await makeTheatre(office, ['owner', 'manager', 'viewer']);
  });

  test('draws pictures, publishes with its effects, copies and archives with their undo', async () => {
    const chartId = await theatre.makeChart(named('Opera'));
    await theatre.makeEvent('Carmen', { chartId });
    await theatre.makeChart(named('Studio'));
    const page = await theatre.open('manager', '#/test/all/charts?search=opera');
    await page.getByRole('heading', { name: 'Opera' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Studio' }).count()).toBe(0);
    await page.locator('canvas[data-drawn]').waitFor();
    const isPainted = `(() => {
      const canvas = document.querySelector('canvas[data-drawn]');
      return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
    })()`;
    expect(await page.evaluate(isPainted)).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    const card = page.getByRole('listitem').filter({ hasText: 'Opera' });
    const { meta, doc } = await theatre.call('GET', `/charts/${chartId}`);
    doc.categories[0].price = 77;
    await theatre.call('PUT', `/charts/${chartId}`, { doc, expectedUpdatedAt: meta.updatedAt });
    await page.reload();
    await card.getByText('Changed since it was published').waitFor();
    await card.getByRole('button', { name: 'Publish… – Opera' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Take it at once: Carmen.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await question.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('“Opera” is published. Took it: 1 event.').waitFor();
    await card.getByText('More').click();
    await card.getByRole('button', { name: 'Duplicate… – Opera' }).click();
    await question.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.getByRole('heading', { name: 'Opera (copy)' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.getByRole('heading', { name: 'Opera (copy)' }).waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Delete… – Opera' }).click();
    await question.getByRole('checkbox').check();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByRole('alert').filter({ hasText: /event/ }).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Archive… – Opera' }).click();
    await question.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('“Opera” is in the archive.').waitFor();
    await page.getByRole('link', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Take out of the archive – Opera' }).waitFor();
    await page.close();
  });

  test('opens the designer with the chart, and draws no act for a viewer', async () => {
    await theatre.makeChart(named('Arena'));
    const page = await theatre.open('owner', '#/live/all/charts?search=arena');
    const [designer] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Open in the designer – Arena' }).click(),
    ]);
    await designer.waitForURL(/\/designer/);
    await designer.getByText('Arena').first().waitFor();
    await page.context().close();
    const viewers = await theatre.open('viewer', '#/live/all/charts?search=arena');
    await viewers.getByRole('heading', { name: 'Arena' }).waitFor();
    await expect.poll(() => viewers.getByRole('button', { name: /Arena/ }).count()).toBe(0);
    await viewers.getByText('Download').click();
    const [file] = await Promise.all([
      viewers.waitForEvent('download'),
      viewers.getByRole('link', { name: 'CSV of Arena' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^cht_.*\.csv$/);
    await viewers.close();
  });

  test('looks at a file before it saves it, in another encoding too, and imports it', async () => {
    const page = await theatre.open('manager', '#/test/all/import-chart');
    const text = 'section,row,seat,category,price\nParkett,A,1,Gr\u00fcn,45\nParkett,A,2,Gr\u00fcn,45\n';
    const file = { name: 'hall.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') };
    await page.getByLabel('File of the chart').setInputFiles(file);
    await page.getByRole('status').filter({ hasText: 'Nothing is saved yet.' }).waitFor();
    await page.getByText('The chart can be published as it is.').waitFor();
    await page.getByLabel('Encoding of the text').selectOption('windows-1252');
    await page.getByText('Encoding: windows-1252.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const chartsBefore = (await theatre.call('GET', '/charts')).charts.length;
    await page.getByLabel('Name', { exact: true }).fill('Parkett');
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.getByText('“Parkett” is imported as a draft.').waitFor();
    await page.getByRole('heading', { name: 'Parkett' }).waitFor();
    const { charts } = await theatre.call('GET', '/charts');
    expect(charts.length).toBe(chartsBefore + 1);
    const { doc } = await theatre.call(
      'GET',
      `/charts/${charts.find(({ name }: { name: string }) => name === 'Parkett').id}`,
    );
    expect(doc.categories[0].label).toBe('Gr\u00fcn');
    await page.goto(`${office.parterre.url}/console#/test/all/import-chart?again`);
    await page.getByLabel('File of the chart').setInputFiles({ ...file, buffer: Buffer.from('no,seats\n') });
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save as a draft' }).count()).toBe(0);
    await page.close();
  });

  test('tells an empty house what to do first, makes a chart from a template, and tells a list that never came', async () => {
    const empty = await makeTheatre(office, ['manager']);
    const page = await empty.open('manager', '#/test/all/events', { viewport: { width: 320, height: 640 } });
    await page.getByText('First draw the hall as a chart').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Charts' }).click();
    await page.getByText('Start with a template, or import a file of another system.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'New chart' }).click();
    await page.getByLabel('Template').selectOption('club');
    await page.getByLabel('Name', { exact: true }).fill('Cellar');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByRole('heading', { name: 'Cellar' }).waitFor();
    await page.getByText('Draft', { exact: true }).waitFor();
    await page.route('**/v1/charts?**', (route) => route.abort());
    await page.evaluate(`window.dispatchEvent(new Event('online'))`);
    await page.getByText('The list may be old.').waitFor();
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'The charts cannot be read.' }).waitFor();
    await page.unroute('**/v1/charts?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Cellar' }).waitFor();
    await page.close();
  });
});
