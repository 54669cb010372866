/**
 * Two people at one chart, and sessions that end: who changed what, conflicts in words, labels that a merge brings
 * together, undo over other people's changes, a disabled workspace, and a session whose time is over.
 */
import { afterEach, expect, test } from 'vitest';
import { describeInBrowser, type Json, PATIENCE_MS } from '../box-office.ts';
import { People } from './people.ts';

describeInBrowser('people at one chart', { timeout: 180_000 }, (office) => {
  const people = new People(office);
  afterEach(() => people.close());

  async function two(chart: Awaited<ReturnType<typeof people.newChart>>) {
    const ann = await people.drawing(chart, { person: 'Ann' });
    const ben = await people.drawing(chart, { person: 'Ben' });
    return { ann, ben };
  }

  test('tells who changed what, and keeps unread news beside later news', async () => {
    const chart = await people.newChart();
    const { ann, ben } = await two(chart);
    const cat = await people.drawing(chart, { person: 'Cat' });
    const news = ann.page.getByRole('region', { name: 'Changes of other people' });
    await ben.change('b2', { label: 'Due' });
    await ben.state('Saved');
    await ann.look();
    await news.getByText('Ben changed 1 thing.').waitFor();
    await cat.look();
    await cat.page.getByText('Ben changed 1 thing.').waitFor();
    await cat.change('b3', { categoryKey: 'front' });
    await cat.state('Saved');
    await people.savedAs(chart, ['One', 'Due', 'Three']);
    await ann.look();
    await news.getByText('Cat changed 1 thing.').waitFor();
    const lines = (await news.getByRole('listitem').allInnerTexts()).map((line) => line.replace(/\s+/g, ' '));
    expect(lines).toEqual(['Booth Three Category', 'Booth Due Label']);
    await news.getByRole('button', { name: 'Booth Due' }).click();
    expect(await ann.page.evaluate(`[...document.querySelector('#designer').editor.selection.objects]`)).toEqual([
      'b2',
    ]);
    await news.getByRole('button', { name: 'Close' }).click();
    await news.waitFor({ state: 'detached' });
    expect([...ann.faults, ...ben.faults, ...cat.faults]).toEqual([]);
  });

  test('shows a conflict with both values and the other person, and the labels that stand twice', async () => {
    const chart = await people.newChart();
    const { ann, ben } = await two(chart);
    await ben.change('b3', { label: 'Drei', categoryKey: 'front' });
    await ben.change('b1', { label: 'Neu' });
    await ben.state('Saved');
    await people.savedAs(chart, ['Neu', 'Two', 'Drei']);
    await ann.change('b3', { label: 'Tre' });
    await ann.change('b2', { label: 'Neu' });
    await ann.state('1 change to decide');
    const conflict = ann.page.getByRole('region', { name: 'Changed by two people' });
    await conflict.getByText('Ben changed it too.').waitFor();
    expect((await conflict.getByRole('row').last().innerText()).split(/\s+/)).toEqual(['Label', 'Tre', 'Drei']);
    await ann.button('Booth Tre: Theirs').click();
    await ann.button('Done').click();
    await people.savedAs(chart, ['Neu', 'Neu', 'Drei']);
    const news = ann.page.getByRole('region', { name: 'Changes of other people' });
    await news.getByText('Two objects have the label Neu ').waitFor();
    await news.getByRole('button', { name: 'Show the objects' }).click();
    expect(await ann.page.evaluate(`document.querySelector('#designer').editor.selection.objects.size`)).toBe(2);
    expect([...ann.faults, ...ben.faults]).toEqual([]);
  });

  test('an undo says what it leaves, because somebody else changed it too', async () => {
    const chart = await people.newChart();
    const { ann, ben } = await two(chart);
    await ann.change('b1', { label: 'Uno' });
    await people.savedAs(chart, ['Uno', 'Two', 'Three']);
    await ben.look();
    await ben.page.getByText('Ann changed 1 thing.').waitFor();
    await ben.change('b1', { label: 'Eins' });
    await people.savedAs(chart, ['Eins', 'Two', 'Three']);
    await ann.look();
    await ann.page.getByText('Ben changed 1 thing.').waitFor();
    await ann.button('Undo').click();
    await ann.hears(/1 thing stays as it is: somebody else changed it too\./);
    await people.savedAs(chart, ['Eins', 'Two', 'Three']);
  });

  test('a disabled workspace ends the session; the changes are kept, and a fresh address goes on', async () => {
    const { workspace } = await office.post('/v1/workspaces', { name: 'Closing soon' });
    const chart = await people.newChart(undefined, { workspaceId: workspace.id });
    const ann = await people.drawing(chart);
    await office.call('PATCH', `/v1/workspaces/${workspace.id}`, { status: 'disabled' });
    await ann.change('b1', { label: 'Uno' });
    await ann.state('Session ended');
    await ann.page.getByText('Changes that were not saved are kept in this browser.').waitFor();
    await ann.change('b2', { label: 'Due' });
    await expect.poll(() => ann.page.evaluate(keptLabels), { timeout: PATIENCE_MS }).toContain('Due');
    await office.call('PATCH', `/v1/workspaces/${workspace.id}`, { status: 'active' });
    // The same tab at a fresh address.
    await ann.page.goto((await people.session(chart)).designerUrl);
    await ann.button('Keep them').click();
    await people.savedAs(chart, ['Uno', 'Due', 'Three']);
    await ann.state('Saved');
    expect(ann.faults).toEqual([]);
  });

  test('a session says that it ends soon, and that its time is over, without an edit', async () => {
    const chart = await people.newChart();
    const session = await people.session(chart);
    const ann = await people.at('about:blank');
    await ann.page.clock.install();
    await ann.page.goto(session.designerUrl);
    await ann.state('Saved');
    await ann.page.clock.fastForward(51 * 60_000);
    await ann.page.getByText(/^This session ends at /).waitFor();
    // The page's clock runs ahead of the server's, so the session ends by hand.
    await office.call('DELETE', `/v1/designer/sessions/${session.id}`);
    await ann.page.clock.fastForward(10 * 60_000);
    await ann.page.getByText('This session has ended.').waitFor({ timeout: PATIENCE_MS });
    await ann.state('Session ended');
    expect(ann.faults).toEqual([]);
  });
});

/** The labels of all drafts that the browser keeps. Runs in the page, of whose types tests know nothing. */
async function keptLabels(): Promise<string[]> {
  const answer = (request: Json) =>
    new Promise<Json>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = reject;
    });
  const database = await answer((globalThis as Json).indexedDB.open('parterre-designer'));
  const records: Json[] = await answer(database.transaction('drafts').objectStore('drafts').getAll());
  database.close();
  return records.flatMap(({ objects = [] }) => objects.map(({ label }: Json) => label));
}
