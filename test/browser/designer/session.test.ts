/**
 * The designer's page in its session: the token, saving, two people at once, a server that dies, drafts, publishing,
 * and the rights of a session. Edits go through the page's own editor, as its tools make them.
 */
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, type Json, PATIENCE_MS } from '../box-office.ts';
import { type Chart, changed, People } from './people.ts';
import { hearing, Platform } from './platform.ts';

describeInBrowser('the designer', { timeout: 180_000 }, (office) => {
  const { call, post } = office;
  const people = new People(office);
  const platform = new Platform();
  beforeAll(() => platform.open());
  afterEach(() => people.close());
  afterAll(() => platform.close());

  async function newChart(): Promise<Chart> {
    const chart = await people.newChart();
    await post(`/v1/charts/${chart.id}/publish`, {});
    return chart;
  }

  const session = (chart: Chart, more: object = {}): Promise<Json> =>
    people.session(chart, { allowedOrigin: platform.origin, ...more });

  async function person(address: string, context?: BrowserContext) {
    const { page: tab, change, document, ...desk } = await people.at(address, {}, context);
    return {
      ...desk,
      tab,
      /** Gives an object another label, or deletes it. Returns the refusal's key. */
      label: (id: string, label: string | null) => change(id, label === null ? null : { label }),
      labels: async (): Promise<string[]> => (await document()).objects.map(({ label }: Json) => label),
    };
  }

  const stored = async (id: string): Promise<string[]> =>
    (await call('GET', `/v1/charts/${id}`)).doc.objects.map(({ label }: Json) => label);

  const savedAs = (id: string, labels: string[]) =>
    expect.poll(() => stored(id), { timeout: PATIENCE_MS }).toEqual(labels);

  test('takes the token out of the address, goes on after a reload, and says when a session has ended', async () => {
    const chart = await newChart();
    const { designerUrl, id, token } = await session(chart);
    const ann = await person(designerUrl);
    await ann.state('Saved');
    expect([new URL(ann.tab.url()).hash, await ann.tab.evaluate('history.length')]).toEqual(['', 2]);
    expect(ann.tab.url()).not.toContain(token);
    await ann.tab.reload();
    await ann.state('Saved');
    await call('DELETE', `/v1/designer/sessions/${id}`);
    await ann.label('b1', 'Uno');
    await ann.tab.getByText('This session has ended.').waitFor();
    await ann.tab.reload();
    await ann.tab.getByRole('heading', { name: 'This session has ended.' }).waitFor();
    expect(await stored(chart.id)).toEqual(['One', 'Two', 'Three']);
    // A fresh session of the same chart offers what the ended one could not save.
    await ann.tab.goto((await session(chart)).designerUrl);
    await ann.button('Keep them').click();
    await savedAs(chart.id, ['Uno', 'Two', 'Three']);
    const nobody = await person(`${office.parterre.url}/designer`);
    await nobody.tab.getByRole('heading', { name: 'This page has no session.' }).waitFor();
    expect([...ann.faults, ...nobody.faults]).toEqual([]);
  });

  test('merges what two people draw at once, and asks where they differ', async () => {
    const chart = await newChart();
    const one = await session(chart, { person: 'Ann' });
    const two = await session(chart, { person: 'Ben' });
    const ann = await person(one.designerUrl);
    const ben = await person(two.designerUrl);
    await Promise.all([ann.state('Saved'), ben.state('Saved')]);
    await ann.label('b1', 'Uno');
    await ben.label('b2', 'Due');
    await savedAs(chart.id, ['Uno', 'Due', 'Three']);
    await Promise.any([
      ann.tab.getByText('Ben changed 1 thing.').waitFor(),
      ben.tab.getByText('Ann changed 1 thing.').waitFor(),
    ]);
    await expect.poll(ann.labels, { timeout: PATIENCE_MS }).toEqual(['Uno', 'Due', 'Three']);
    await expect.poll(ben.labels, { timeout: PATIENCE_MS }).toEqual(['Uno', 'Due', 'Three']);
    await Promise.all([ann.state('Saved'), ben.state('Saved')]);

    await ann.label('b3', 'Tre');
    await ben.label('b3', 'Drei');
    await Promise.any([ann.state('1 change to decide'), ben.state('1 change to decide')]);
    const loser = (await ann.tab.getByText('Changed by two people').count()) > 0 ? ann : ben;
    const theirs = loser === ann ? 'Drei' : 'Tre';
    await loser.button(/: Theirs$/).click();
    await loser.button('Done').click();
    await savedAs(chart.id, ['Uno', 'Due', theirs]);
    await loser.state('Saved');
    expect([...ann.faults, ...ben.faults]).toEqual([]);
  });

  test('loses nothing when the server dies while a person draws', async () => {
    const { pidOf } = office.parterre;
    const chart = await newChart();
    const ann = await person((await session(chart)).designerUrl);
    await ann.state('Saved');
    process.kill(pidOf('catalog'), 'SIGKILL');
    await ann.label('b1', 'Uno');
    await ann.label('b2', 'Due');
    const labels = () => stored(chart.id).catch(() => null);
    await expect.poll(labels, { timeout: PATIENCE_MS }).toEqual(['Uno', 'Due', 'Three']);
    await ann.state('Saved');
    process.kill(pidOf('frontdoor'), 'SIGKILL');
    await ann.label('b3', 'Tre');
    await expect.poll(labels, { timeout: PATIENCE_MS }).toEqual(['Uno', 'Due', 'Tre']);
    await ann.state('Saved');
    expect(ann.faults).toEqual([]);
  });

  test('keeps a draft over a reload, and offers it', async () => {
    const chart = await newChart();
    const ann = await person((await session(chart)).designerUrl);
    await ann.state('Saved');
    await ann.tab.route('**/v1/charts/**', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await ann.label('b1', 'Uno');
    await ann.state(/No connection. Your changes are kept/);
    // Another tab of the same browser leaves the draft of an open page alone.
    const other = await person((await session(chart)).designerUrl, ann.context);
    await other.state('Saved');
    await expect.poll(() => other.button('Keep them').count()).toBe(0);
    await other.tab.close();
    await ann.tab.reload();
    await ann.tab.getByText(/^Changes of .* that were not saved$/).waitFor();
    expect(await ann.labels()).toEqual(['One', 'Two', 'Three']);
    await ann.tab.unroute('**/v1/charts/**');
    await ann.button('Keep them').click();
    await savedAs(chart.id, ['Uno', 'Two', 'Three']);
    await ann.state('Saved');
    await ann.tab.reload();
    await ann.state('Saved');
    await expect.poll(() => ann.button('Keep them').count()).toBe(0);
  });

  test('shows what a publish does before it publishes, and every fault with its object', async () => {
    const chart = await newChart();
    const { meta: event } = await post('/v1/events', { chartId: chart.id, name: 'Gala' });
    await post(`/v1/events/${event.key}/book`, { labels: ['Three'], bookingRef: 'order-1' });
    const ann = await person((await session(chart)).designerUrl);
    await ann.state('Saved');
    await ann.label('b3', null);
    await ann.button('Publish').click();
    const dialog = ann.tab.getByRole('dialog', { name: 'Publish this chart' });
    await dialog.getByText('1 event waits until you update its chart').waitFor();
    await dialog.getByText('1 seat vanishes: Three').waitFor();
    await dialog.getByText(/1 of them is held or sold/).waitFor();
    expect((await call('GET', `/v1/charts/${chart.id}`)).meta.publishedVersion).toBe(1);
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await dialog.getByText('Published as version 2.').waitFor();
    await ann.tab.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await ann.label('b2', 'One');
    await ann.button('Publish').click();
    await dialog.getByText('1 fault to mend first').waitFor();
    await dialog.getByRole('button', { name: /Duplicate label: One/ }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(ann.faults).toEqual([]);
  });

  test('refuses in a read-only session, in safe mode, and what features leave out', async () => {
    const chart = await newChart();
    const reader = await person((await session(chart, { authority: 'read-only' })).designerUrl);
    await reader.state('View only');
    expect([await reader.label('b1', 'Uno'), await reader.button('Publish').count()]).toEqual(['edit.readOnly', 0]);
    const editor = await person((await session(chart, { authority: 'edit' })).designerUrl);
    await editor.state('Saved');
    await expect.poll(() => editor.button('Publish').count()).toBe(0);
    const features = { labels: false, publish: false, teleport: false };
    const plain = await person((await session(chart, { features })).designerUrl);
    await plain.state('Saved');
    expect([await plain.label('b1', 'Uno'), await plain.button('Publish').count()]).toEqual(['edit.feature', 0]);
    const published = await person((await session(chart, { mode: 'safe' })).designerUrl);
    await published.state('Saved');
    expect(await published.label('b1', 'Uno')).toMatch(/^edit\./);
    // Of a chart with a draft the page does not have the published version: the server judges.
    await call('PUT', `/v1/charts/${chart.id}`, { name: 'Theatre' });
    const safe = await person((await session(chart, { mode: 'safe' })).designerUrl);
    await safe.state('Saved');
    await safe.label('b1', 'Uno');
    await safe.tab.getByText('Safe mode keeps the seats that are on sale. Put these back: One.').waitFor();
    await safe.label('b1', 'One');
    await safe.state('Saved');
    expect(await stored(chart.id)).toEqual(['One', 'Two', 'Three']);
  });

  test('works in a frame of the allowed origin alone, and tells it what happens', async () => {
    const chart = await newChart();
    await platform.show(office.parterre.url, async () => (await session(chart)).designerUrl);
    const ann = await person('about:blank');
    const told = await hearing(ann.tab);
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const isSession = '**/v1/designer/session';
    await ann.tab.route(isSession, (route) => held.then(() => route.continue()));
    await Promise.all([ann.tab.waitForRequest(isSession), ann.tab.goto(`${platform.origin}/draw`)]);
    // A fresh token that arrives before the chart is open opens no second designer in the page.
    await ann.tab.evaluate(renewingEarly, (await session(chart)).designerUrl as string);
    goOn();
    expect(await ann.tab.evaluate('globalThis.early')).toBe(true);
    expect((await told()).map(({ type }) => type)).toEqual(['ready', 'saved']);
    await ann.tab.unroute(isSession);
    expect((await told())[0]).toMatchObject({ version: 1, chartId: chart.id, authority: 'publish', name: 'Studio' });
    const frame = ann.tab.frames().find((each) => each.url().startsWith(office.parterre.url))!;
    await frame.evaluate(changed, { id: 'b1', fields: { label: 'Uno' } });
    expect(await ann.tab.evaluate(`document.querySelector('parterre-designer').save()`)).toBe(true);
    expect(await stored(chart.id)).toEqual(['Uno', 'Two', 'Three']);
    expect((await told()).slice(2).map(({ type }) => type)).toEqual(['dirty', 'saved', 'saved']);
    const fresh = await session(chart);
    expect(await ann.tab.evaluate(renewed, fresh.designerUrl as string)).toBe(true);
    const foreign = await session(await newChart());
    expect(await ann.tab.evaluate(renewed, foreign.designerUrl as string)).toBe(false);
    expect((await told()).at(-1)).toMatchObject({ type: 'error', code: 'chart_not_found' });
    await ann.tab.evaluate(`document.querySelector('parterre-designer').focus()`);
    expect(await ann.tab.evaluate('document.activeElement.localName')).toBe('parterre-designer');
    expect(ann.faults).toEqual([]);

    // The same address in a frame of another origin: the browser shows nothing of it.
    const evil = await person(`http://127.0.0.1:${platform.port}/draw`);
    await expect.poll(() => evil.tab.frames().length).toBe(2);
    await expect.poll(() => evil.tab.frames()[1]!.url(), { timeout: PATIENCE_MS }).toMatch(/^chrome-error:/);
  });
});

/** Runs in the page, of whose types tests know nothing. */
function renewed(url: string): Promise<boolean> {
  return (globalThis as Json).document.querySelector('parterre-designer').renew(url);
}

/** As `renewed`, without a wait for the end. */
function renewingEarly(url: string): void {
  const page = globalThis as Json;
  page.early = page.document.querySelector('parterre-designer').renew(url);
}
