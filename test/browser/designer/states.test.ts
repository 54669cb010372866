/** WCAG 2.2 AA by axe-core in the states of the designer that belong to its session, its saving and its panels. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { axeFaults, smallTargets } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { People, type Person } from './people.ts';
import { Platform } from './platform.ts';

describeInBrowser('the states of the designer', { timeout: 240_000 }, (office) => {
  const people = new People(office);
  const platform = new Platform();
  beforeAll(() => platform.open());
  afterEach(() => people.close());
  afterAll(() => platform.close());

  /** In light and dark. */
  async function isClean({ page }: { page: Page }): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page)).toEqual([]);
    }
    expect(await smallTargets(page, '#designer')).toEqual([]);
  }

  const isCut = async ({ page }: Person) =>
    page.route('**/v1/charts/**', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));

  test('publishing: what it does, that it is done, and faults', async () => {
    const chart = await people.newChart();
    await office.post(`/v1/charts/${chart.id}/publish`, {});
    const { meta: event } = await office.post('/v1/events', { chartId: chart.id, name: 'Gala' });
    await office.post(`/v1/events/${event.key}/book`, { labels: ['Three'], bookingRef: 'order-1' });
    const ann = await people.drawing(chart);
    await ann.change('b3', null);
    await ann.button('Publish').click();
    const dialog = ann.page.getByRole('dialog', { name: 'Publish this chart' });
    await dialog.getByText('1 event waits until you update its chart').waitFor();
    await isClean(ann);
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await dialog.getByText('Published as version 2.').waitFor();
    await isClean(ann);
    await ann.page.keyboard.press('Escape');
    await ann.change('b2', { label: 'One' });
    await ann.button('Publish').click();
    await dialog.getByText('1 fault to mend first').waitFor();
    await isClean(ann);
  });

  test('other people: news, labels that stand twice, and a conflict', async () => {
    const chart = await people.newChart();
    const ann = await people.drawing(chart, { person: 'Ann' });
    const ben = await people.drawing(chart, { person: 'Ben' });
    await ben.change('b1', { label: 'Neu' });
    await ben.change('b3', { label: 'Drei' });
    await people.savedAs(chart, ['Neu', 'Two', 'Drei']);
    await ann.change('b2', { label: 'Neu' });
    await ann.change('b3', { label: 'Tre' });
    await ann.page.getByText('Ben changed it too.').waitFor();
    await ann.page.getByText('Two objects have the label Neu ').waitFor();
    await isClean(ann);
    await ann.button('Booth Tre: Theirs').click();
    await isClean(ann);
  });

  test('saving: without the server, an offered draft, a refusal, and an ended session', async () => {
    const chart = await people.newChart();
    await office.post(`/v1/charts/${chart.id}/publish`, {});
    const ann = await people.drawing(chart);
    await isCut(ann);
    await ann.change('b1', { label: 'Uno' });
    await ann.state(/^No connection/);
    await isClean(ann);
    await ann.page.reload();
    await ann.button('Keep them').waitFor();
    await isClean(ann);
    // The server judges safe mode where a chart has a draft.
    await office.call('PUT', `/v1/charts/${chart.id}`, { name: 'Theatre' });
    const session = await people.session(chart, { mode: 'safe' });
    const safe = await people.at(session.designerUrl);
    await safe.state('Saved');
    await safe.change('b1', { label: 'Uno' });
    await safe.page.getByText(/^Safe mode keeps the seats that are on sale\./).waitFor();
    await isClean(safe);
    await office.call('DELETE', `/v1/designer/sessions/${session.id}`);
    await safe.change('b1', { label: 'Eins' });
    await safe.page.getByText('This session has ended.').waitFor();
    await isClean(safe);
    await safe.page.reload();
    await safe.page.getByRole('heading', { name: 'This session has ended.' }).waitFor();
    await isClean(safe);
  });

  test('pages without a chart: none, opening, failed, and of another page', async () => {
    const chart = await people.newChart();
    const nobody = await people.at(`${office.parterre.url}/designer`);
    await nobody.page.getByRole('heading', { name: 'This page has no session.' }).waitFor();
    await isClean(nobody);
    const ann = await people.at('about:blank');
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await ann.page.route('**/v1/designer/session', async (route) => {
      await opened;
      await route.abort();
    });
    await ann.page.goto((await people.session(chart)).designerUrl);
    await ann.page.getByText('Opening the chart …').waitFor();
    await isClean(ann);
    open();
    await ann.page.getByRole('heading', { name: 'The chart could not be opened.' }).waitFor();
    await isClean(ann);
    // The address is for the platform's page, and the token for another one.
    await platform.show(office.parterre.url, async () => {
      const { designerUrl } = await people.session(chart, { allowedOrigin: platform.origin });
      const { token } = await people.session(chart);
      return `${designerUrl.split('#')[0]}#token=${token}`;
    });
    const lost = await people.at(`${platform.origin}/draw`);
    const frame = lost.page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'This session belongs to another page.' }).waitFor();
    const inFrame = lost.page.frames().find((each) => each.url().startsWith(office.parterre.url))!;
    expect(await axeFaults(inFrame as unknown as Page)).toEqual([]);
  });

  test('drawing: a reader, chosen seats, labels in a sequence, and the options of texts and pictures', async () => {
    const row = (id: string, label: string, y: number) => ({
      type: 'row',
      id,
      label,
      origin: { x: 0, y },
      rotation: 0,
      curve: 0,
      seatCount: 10,
      seatSpacing: 40,
      categoryKey: 'stalls',
    });
    const chart = await people.newChart({
      version: 1,
      name: 'Hall',
      venueType: 'SIMPLE',
      focalPoint: { x: 0, y: 0 },
      categories: [{ key: 'stalls', label: 'Stalls', color: '#336699', price: 20 }],
      objects: [row('r1', 'A', 0), row('r2', 'B', 60)],
    });
    const reader = await people.drawing(chart, { authority: 'read-only' });
    await reader.state('View only');
    await isClean(reader);
    const ann = await people.drawing(chart);
    const select = (objects: string, seats: string) =>
      ann.page.evaluate(
        `document.querySelector('#designer').editor.select({ objects: new Set(${objects}), seats: new Map(${seats}) })`,
      );
    await select('[]', '[["r1", new Set([1, 2])]]');
    await ann.page.locator('.status').getByText('2 selected').waitFor();
    await isClean(ann);
    await select('["r1", "r2"]', '[]');
    await ann.page.getByText('Labels in a sequence').click();
    await ann.button('Set these labels').waitFor();
    await isClean(ann);
    for (const tool of ['Text', 'Image']) {
      await ann.button(tool).click();
      await isClean(ann);
    }
  });
});
