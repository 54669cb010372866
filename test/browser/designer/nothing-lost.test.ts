/** No work is lost at the page: a publish of another state, a look that hangs, a kept draft in conflict, a new name. */
import { afterEach, expect, test } from 'vitest';
import { describeInBrowser, type Json, PATIENCE_MS } from '../box-office.ts';
import { People } from './people.ts';

describeInBrowser('the designer loses nothing', { timeout: 180_000 }, (office) => {
  const people = new People(office);
  afterEach(() => people.close());

  test('a chart that somebody changed since the preview is previewed anew before it is published', async () => {
    const chart = await people.newChart();
    const ann = await people.drawing(chart, { person: 'Ann' });
    const ben = await people.drawing(chart, { person: 'Ben' });
    await ann.button('Publish').click();
    await ann.button('Publish now').waitFor();
    await ben.change('b3', null);
    await people.savedAs(chart, ['One', 'Two']);
    await ann.button('Publish now').click();
    await ann.page.getByText(/^Somebody changed the chart meanwhile/).waitFor();
    expect((await ann.document()).objects.map(({ label }: Json) => label)).toEqual(['One', 'Two']);
    expect((await people.stored(chart)).meta.publishedVersion).toBeNull();
    expect(await ann.violations()).toEqual([]);
    await ann.button('Publish now').click();
    await ann.page.getByText('Published as version 1.').waitFor();
    expect([...ann.faults, ...ben.faults]).toEqual([]);
  });

  test('a look that hangs holds no edit up, and a new name is the name of the chart', async () => {
    const chart = await people.newChart();
    const ann = await people.drawing(chart);
    let looks = 0;
    await ann.page.route('**/v1/charts/*?saves=1', () => void looks++);
    await ann.look();
    await expect.poll(() => looks, { timeout: PATIENCE_MS }).toBe(1);
    await ann.change('b1', { label: 'Uno' });
    await ann.state(/^(Not saved yet|Saving …)$/);
    await ann.state('Saved');
    await people.savedAs(chart, ['Uno', 'Two', 'Three']);
    await ann.page.evaluate(renamed, 'Great studio');
    await expect
      .poll(async () => (await people.stored(chart)).meta.name, { timeout: PATIENCE_MS })
      .toBe('Great studio');
  });

  test('a kept draft that does not fit asks, with the chart’s own form first', async () => {
    const chart = await people.newChart();
    const ann = await people.drawing(chart, { person: 'Ann' });
    await ann.page.route('**/v1/charts/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await ann.change('b1', { label: 'Old' });
    await ann.change('b2', { label: 'Kept' });
    await ann.state(/^No connection/);
    await ann.page.unrouteAll();
    await ann.page.reload();
    await ann.button('Keep them').waitFor();
    await ann.change('b1', { label: 'New' });
    await ann.button('Keep them').click();
    const conflict = ann.page.getByRole('region', { name: 'The kept changes differ from the chart' });
    await conflict.getByText('It was changed since.').waitFor();
    expect((await ann.document()).objects.map(({ label }: Json) => label)).toEqual(['New', 'Kept', 'Three']);
    expect(await ann.violations()).toEqual([]);
    await ann.button('Booth New: Chart').click();
    await ann.button('Done').click();
    await people.savedAs(chart, ['New', 'Kept', 'Three']);
    await ann.page.reload();
    await ann.state('Saved');
    await expect.poll(() => ann.button('Keep them').count(), { timeout: PATIENCE_MS }).toBe(0);
    expect(ann.faults).toEqual([]);
  });
});

/** Runs in the page, of whose types tests know nothing. */
function renamed(name: string): void {
  const { editor } = (globalThis as Json).document.querySelector('#designer');
  editor.apply((document: Json) => ({ ...document, name }), 'did.chart');
}
