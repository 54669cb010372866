/**
 * WCAG 2.2 AA by axe-core in each state of the picker: loading, on sale, chosen, held, sold out, closed, presale, an
 * error, the list, a phone, dark, German and Arabic. Beside it: targets of 24 px, and a focus that is never lost.
 */
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { createApi } from '../../scripts/launch/api.ts';
import { findChromium, launchChromium } from '../support/servers/chromium.ts';
import { type Parterre, startParterre } from '../support/servers/server.ts';
import { PATIENCE_MS } from './picker.ts';

const found = findChromium();
// In CI nobody reads the message, and a missing browser must not look like a pass.
if ('missing' in found && process.env.CI) throw new Error(found.missing);

/** Scrolled rows stand partly behind the foot of the panel, so the size of targets has a check of its own. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
const desktop = { width: 1440, height: 900 };

type State = 'on sale' | 'chosen' | 'held' | 'list';
type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

describe.skipIf('missing' in found)('the picker is accessible', { timeout: 180_000 }, () => {
  let parterre: Parterre;
  let browser: Browser;
  let onSale = '';

  beforeAll(async () => {
    if (!('path' in found)) return;
    [parterre, browser] = await Promise.all([startParterre(), launchChromium(found.path)]);
    onSale = await makeEvent();
  });

  afterAll(async () => {
    await browser?.close();
    await parterre?.stop();
  });

  test('while it opens, and when it cannot', async () => {
    const page = await open(onSale, {}, async (page) => {
      await page.route('**/pub/events/**', () => {});
    });
    await page.getByText('Opening the map').first().waitFor();
    expect(await faultsIn(page)).toEqual([]);
    await page.close();
    const failed = await open('no-such-event', {});
    await failed.getByText('not found').first().waitFor();
    expect(await faultsIn(failed)).toEqual([]);
    await failed.close();
  });

  const all: State[] = ['on sale', 'chosen', 'held', 'list'];
  const looks: [string, BrowserContextOptions, string, State[]][] = [
    ['on a desktop', {}, 'en', all],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true }, 'en', all],
    ['on a phone on its side', { viewport: { width: 844, height: 390 }, hasTouch: true }, 'en', ['on sale', 'held']],
    ['in the dark', { colorScheme: 'dark' }, 'en', ['chosen', 'held', 'list']],
    ['with more contrast', { contrast: 'more' }, 'en', ['held']],
    ['in forced colours', { forcedColors: 'active' }, 'en', ['held']],
    ['in German', {}, 'de', ['held']],
    ['in Arabic', {}, 'ar', ['held', 'list']],
  ];
  test.each(looks)('%s', async (_, options, locale, states) => {
    const page = await open(await makeEvent(), options);
    await live(page);
    await page.evaluate(`document.querySelector('parterre-map').setAttribute('locale', '${locale}')`);
    await expect.poll(() => page.evaluate(inPicker('.parterre', 'lang'))).toBe(locale);
    const check = async (state: State) => {
      if (states.includes(state)) expect(await faultsIn(page), state).toEqual([]);
    };
    await check('on sale');
    await page.evaluate(`document.querySelector('parterre-map').map.toggle(['C-4', 'H-1', 'H-2', 'Table 1'])`);
    await page.locator('[part~=basket] [part~=row]').nth(3).waitFor({ state: 'attached' });
    // The sheet of a phone hides the basket until it is opened.
    if (await page.locator('[part~=grip]').isVisible()) await page.locator('[part~=grip]').click();
    await check('chosen');
    await page.evaluate(`document.querySelector('parterre-map').map.hold()`);
    await page.getByRole('timer').waitFor();
    await check('held');
    await page.locator('[part~=surfaces] button').last().click();
    await page.locator('[part~=list]').waitFor();
    await check('list');
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await page.close();
  });

  test('when it is sold out, closed, or bought', async () => {
    const soldOut = await makeEvent();
    const labels = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].flatMap((row) =>
      Array.from({ length: 12 }, (_, index) => `${row}-${index + 1}`),
    );
    await post(`/v1/events/${soldOut}/book`, { labels: [...labels, 'Table 1', 'Booth 1'], bookingRef: 'all' });
    const page = await open(soldOut, {});
    await live(page);
    expect(await faultsIn(page), 'sold out').toEqual([]);
    const closed = await makeEvent();
    await post(`/v1/events/${closed}/close`, {});
    await page.goto(addressOf(closed));
    await page.reload();
    await live(page);
    expect(await faultsIn(page), 'closed').toEqual([]);
    await page.goto(addressOf(onSale));
    await page.reload();
    await live(page);
    await page.evaluate(`document.querySelector('parterre-map').map.toggle(['C-4'])`);
    const held = `document.querySelector('parterre-map').map.hold().then(() => document.querySelector('parterre-map').map.state().hold.holdId)`;
    const holdId = await page.evaluate(held);
    await post(`/v1/events/${onSale}/book`, { holdId, bookingRef: 'one' });
    await page.getByRole('region', { name: 'Bought' }).waitFor();
    expect(await faultsIn(page), 'bought').toEqual([]);
    await page.close();
  });

  const addressOf = (event: string) => `${parterre.url}/demo#event=${event}&key=${parterre.demo.keys.publishableTest}`;

  async function open(
    event: string,
    options: BrowserContextOptions,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<Page> {
    const page = await browser.newPage({ viewport: desktop, reducedMotion: 'reduce', ...options });
    page.setDefaultTimeout(PATIENCE_MS);
    await prepare?.(page);
    await page.goto(addressOf(event));
    return page;
  }

  async function live(page: Page): Promise<void> {
    const connection = () => page.evaluate(`document.querySelector('parterre-map')?.map?.state().connection`);
    await expect.poll(connection, { timeout: PATIENCE_MS }).toBe('live');
  }

  async function makeEvent(): Promise<string> {
    const doc = demoTheatre();
    const { meta: chart } = await post('/v1/charts', { name: doc.name, doc });
    await post(`/v1/charts/${chart.id}/publish`, {});
    return (await post('/v1/events', { chartId: chart.id })).meta.key;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are read as clients do, without types.
  const post = (path: string, body: unknown): Promise<any> =>
    createApi(parterre.url).make(path, parterre.demo.keys.secretTest, body);
});

const inPicker = (selector: string, property: string) =>
  `document.querySelector('parterre-map').shadowRoot.querySelector('${selector}').${property}`;

/** Each fault as “rule: element”. */
async function faultsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = `axe.run('parterre-map', { runOnly: ${JSON.stringify(rules)} })`;
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(' ')}: ${failureSummary}`),
  );
}

/** Buttons and fields under 24 px. The hidden list for keyboards is left out: its buttons have no size. */
const smallTargets = `[...document.querySelector('parterre-map').shadowRoot.querySelectorAll('button, select, input, summary')]
  .filter((each) => !each.closest('.mirror') && each.checkVisibility())
  .map((each) => [each.textContent.trim() || each.ariaLabel || each.className, each.closest('label') ?? each])
  .filter(([, box]) => box.getBoundingClientRect().height < 24 || box.getBoundingClientRect().width < 24)
  .map(([name]) => name)`;
