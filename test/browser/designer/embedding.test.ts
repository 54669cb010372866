/** The page around the designer hears of a publish and of the end of a session, and goes on with a fresh one. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { changed, People } from './people.ts';
import { hearing, Platform } from './platform.ts';

describeInBrowser('the designer in a frame', { timeout: 180_000 }, (office) => {
  const people = new People(office);
  const platform = new Platform();
  beforeAll(() => platform.open());
  afterEach(() => people.close());
  afterAll(() => platform.close());

  test('tells the page of a publish, of an ended session, and of what a fresh session saves', async () => {
    const chart = await people.newChart();
    await office.post(`/v1/charts/${chart.id}/publish`, {});
    const { meta: event } = await office.post('/v1/events', { chartId: chart.id, name: 'Gala' });
    const sessions: string[] = [];
    await platform.show(office.parterre.url, async () => {
      const { id, designerUrl } = await people.session(chart, { allowedOrigin: platform.origin });
      sessions.push(id);
      return designerUrl;
    });
    const ann = await people.at('about:blank');
    const told = await hearing(ann.page);
    await ann.page.goto(`${platform.origin}/draw`);
    const frame = ann.page.frameLocator('iframe');
    await frame.locator('.map canvas').first().waitFor();
    const inFrame = () => ann.page.frames().find((each) => each.url().startsWith(office.parterre.url))!;
    const rename = (label: string) => inFrame().evaluate(changed, { id: 'b1', fields: { label } });
    const heard = (type: string) =>
      expect.poll(async () => (await told()).find((each) => each.type === type), { timeout: PATIENCE_MS });

    await rename('Uno');
    await frame.getByRole('button', { name: 'Publish', exact: true }).click();
    await frame.getByRole('button', { name: 'Publish now' }).click();
    await frame.getByText('Published as version 2.').waitFor();
    await heard('published').toMatchObject({
      version: 1,
      chartId: chart.id,
      publishedVersion: 2,
      refreshed: [event.key],
      needsUpdate: [],
    });
    expect(await ann.page.evaluate('document.body.dataset.version')).toBe('2');
    await ann.page.keyboard.press('Escape');

    await office.call('DELETE', `/v1/designer/sessions/${sessions[0]}`);
    await rename('Eins');
    await heard('error').toMatchObject({ version: 1, chartId: chart.id, code: 'unauthorized' });
    // The printed page answers an ended session with a fresh address.
    await people.savedAs(chart, ['Eins', 'Two', 'Three']);
    await frame.locator('.saving-state').getByText('Saved', { exact: true }).waitFor();
    expect(sessions).toHaveLength(2);
    expect(ann.faults).toEqual([]);
  });
});
