/**
 * WCAG 2.2 AA by axe-core in each state of the picker: loading, on sale, chosen, held, sold out, closed, presale, an
 * error, the list, a phone, dark, German and Arabic. Beside it: targets of 24 px, seats with a contrast of 3:1, and a
 * focus that is never lost.
 */
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { createApi } from '../../scripts/launch/api.ts';
import { findChromium, launchChromium } from '../support/servers/chromium.ts';
import { type Parterre, startParterre } from '../support/servers/server.ts';
import { PATIENCE_MS } from './picker.ts';
import { type Contrast, contrasts } from './pixels.ts';

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

  test('in a presale, and when it is sold out, closed, or bought', async () => {
    const presale = await makeEvent((doc) => {
      doc.categories = doc.categories.map(({ tiers: _, ...category }) => ({ price: 30, ...category }));
    });
    const startsAt = Date.now() + 86_400_000;
    await call('PUT', `/v1/events/${presale}/releases`, { releases: [{ name: 'Early', price: 10, startsAt }] });
    const page = await open(presale, {});
    await page.getByRole('region', { name: 'Offers begin soon' }).waitFor();
    expect(await faultsIn(page), 'presale').toEqual([]);
    const soldOut = await makeEvent();
    const labels = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].flatMap((row) =>
      Array.from({ length: 12 }, (_, index) => `${row}-${index + 1}`),
    );
    const others = [{ label: 'Table 1', quantity: 6 }, { label: 'Booth 1' }, { label: 'Standing', quantity: 20 }];
    await post(`/v1/events/${soldOut}/book`, { labels, bookingRef: 'all' });
    await post(`/v1/events/${soldOut}/book`, { selections: others, bookingRef: 'others' });
    await page.goto(addressOf(soldOut));
    await page.reload();
    await page.getByRole('region', { name: 'Sold out' }).waitFor();
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

  const colours: [string, BrowserContextOptions][] = [
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['with more contrast', { contrast: 'more' }],
    ['in forced colours', { forcedColors: 'active' }],
  ];
  test.each(colours)('seats of every status stand out from their floor by 3:1, %s', async (_, options) => {
    const event = await makeEvent((doc) => {
      const rows = doc.objects as { id: string; overrides?: object[] }[];
      rows.find(({ id }) => id === 'row-d-left')!.overrides = [{ index: 0, accessibility: ['hearing'] }];
    });
    await post(`/v1/events/${event}/book`, { labels: ['D-2'], bookingRef: 'one' });
    await post(`/v1/events/${event}/hold`, { labels: ['D-3'] });
    await post(`/v1/events/${event}/block`, { labels: ['D-4'] });
    const page = await open(event, { ...options, viewport: { width: 2000, height: 1400 } });
    await live(page);
    const map = `document.querySelector('parterre-map').map`;
    const bought = await page.evaluate<string>(`(async () => {
      ${map}.toggle(['C-1']);
      await ${map}.hold();
      return ${map}.state().hold.holdId;
    })()`);
    await post(`/v1/events/${event}/book`, { holdId: bought, bookingRef: 'two' });
    await page.getByRole('region', { name: 'Bought' }).waitFor();
    // The seats stay bought on the map until the next choice.
    const before = await page.evaluate<Contrast>(contrasts(['C-1']));
    await page.evaluate(`${map}.toggle(['C-2'])`);
    await page.evaluate(`${map}.hold()`);
    await page.evaluate(`${map}.toggle(['C-3'])`);
    const free = ['C-4', 'D-5', 'D-1', 'H-1', 'H-2'];
    const others = ['D-2', 'D-3', 'D-4', 'C-2', 'C-3'];
    const all = { ...before, ...(await page.evaluate<Contrast>(contrasts([...free, ...others]))) };
    expect(Object.keys(all)).toHaveLength(11);
    for (const [label, contrast] of Object.entries(all)) expect(contrast, label).toBeGreaterThanOrEqual(3);
    await page.close();
  });

  test('the focus stays on something through a whole sale by keys', async () => {
    const page = await open(await makeEvent(), {});
    await live(page);
    const { keyboard } = page;
    const focus = async () => page.evaluate<string>(focusedName);
    const lost: string[] = [];
    const check = async (step: string) => {
      // Chromium takes the focus from a disabled button at the next frame.
      await page.evaluate(twoFrames);
      if ((await focus()) === '') lost.push(step);
    };
    const press = async (name: string | RegExp, step: string, key = 'Enter') => {
      await page.getByRole('button', { name }).first().focus();
      await keyboard.press(key);
      await check(step);
    };
    const area = page.getByRole('group', { name: 'Standing', exact: true });
    await keyboard.press('Tab');
    for (const key of ['Enter', 'ArrowRight', ' ', 'ArrowRight', ' ', 'Escape']) {
      await keyboard.press(key);
      await check(`${key} on the map`);
    }
    await press(/^Remove Row A, seat 2/, 'remove');
    await press('Undo', 'undo');
    await press('Clear', 'clear');
    await press('Undo', 'undo of everything');
    await press(/^Premium/, 'filter');
    await press('Show all prices', 'all prices');
    await area.getByRole('button', { name: 'One more' }).focus();
    await keyboard.press('Enter');
    await check('a place more');
    await area.getByRole('button', { name: 'One less' }).focus();
    await keyboard.press('Enter');
    await check('the last place less');
    await press('List', 'list');
    await press(/^Stalls/, 'section');
    await press(/^Row B/, 'row');
    await press(/^Row B, seat 3, /, 'seat of the list');
    await press('Map', 'map');
    await press(/^Hold them/, 'hold');
    await page.getByRole('timer').waitFor();
    await expect.poll(focus, { timeout: PATIENCE_MS }).toMatch(/^Held for you/);
    await press('Release', 'release');
    await page.getByText('Released.').first().waitFor();
    await check('released');
    await press('Find and hold', 'find');
    await page.getByRole('timer').waitFor();
    await check('found');
    const holdId = await page.evaluate<string>(`document.querySelector('parterre-map').map.state().hold.holdId`);
    await page.getByRole('button', { name: 'Release' }).focus();
    const event = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('event');
    await post(`/v1/events/${event}/book`, { holdId, bookingRef: 'one' });
    await page.getByRole('region', { name: 'Bought' }).waitFor();
    await check('bought');
    expect(lost).toEqual([]);
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

  async function makeEvent(change: (doc: ReturnType<typeof demoTheatre>) => void = () => {}): Promise<string> {
    const doc = demoTheatre();
    change(doc);
    const { meta: chart } = await post('/v1/charts', { name: doc.name, doc });
    await post(`/v1/charts/${chart.id}/publish`, {});
    return (await post('/v1/events', { chartId: chart.id })).meta.key;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are read as clients do, without types.
  const post = (path: string, body: unknown): Promise<any> =>
    createApi(parterre.url).make(path, parterre.demo.keys.secretTest, body);

  async function call(method: string, path: string, body: unknown): Promise<void> {
    const headers = { Authorization: `Bearer ${parterre.demo.keys.secretTest}`, 'Content-Type': 'application/json' };
    const answer = await fetch(parterre.url + path, { method, headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBe(200);
  }
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

/** Empty when nothing has the focus. */
const focusedName = `(() => {
  const active = document.querySelector('parterre-map').shadowRoot.activeElement;
  return (active?.getAttribute('aria-label') ?? active?.textContent ?? '').trim();
})()`;

const twoFrames = `(async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
})()`;
