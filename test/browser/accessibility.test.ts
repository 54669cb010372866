/**
 * WCAG 2.2 AA by axe-core in each state of the picker: loading, on sale, chosen, held, sold out, closed, presale, an
 * error, the list, a phone, dark, German and Arabic. Beside it: targets of 24 px, seats with a contrast of 3:1, and a
 * focus that is never lost.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { createApi } from '../../scripts/launch/api.ts';
import { pickerFaults, smallTargets } from './axe-faults.ts';
import { describeInBrowser, PATIENCE_MS } from './box-office.ts';
import { type Contrast, colourSchemes, contrasts } from './looks/pixels.ts';
import { focusedIn, live } from './picker.ts';

const desktop = { width: 1440, height: 900 };

type State = 'on sale' | 'chosen' | 'removed' | 'held' | 'list';

describeInBrowser('the picker is accessible', { timeout: 180_000 }, (office) => {
  const { addressOf, call, makeEvent, post, sellAll } = office;
  let onSale = '';

  beforeAll(async () => {
    onSale = await makeEvent();
  });

  test('while it opens, and when it cannot', async () => {
    const page = await open(onSale, {}, async (page) => {
      await page.route('**/pub/events/**', () => {});
    });
    await page.getByText('Opening the map').first().waitFor();
    expect(await pickerFaults(page)).toEqual([]);
    await page.close();
    // The demo's page tells a failed start itself, in place of the picker.
    const failed = await office.newPage({ viewport: desktop });
    const tells = async (attributes: string, words: string) => {
      const body = `<!doctype html><html lang="en"><body><parterre-map ${attributes}></parterre-map>
        <script type="module" src="/demo/parterre.js"></script></body></html>`;
      await failed.route('**/shop', (route) => route.fulfill({ contentType: 'text/html', body }));
      await failed.goto(`${office.parterre.url}/shop`);
      await failed.getByRole('alert').filter({ hasText: words }).waitFor();
      expect(await pickerFaults(failed), words).toEqual([]);
    };
    const { demo, rootToken, url } = office.parterre;
    await tells(`event="no-such-event" public-key="${demo.keys.publishableTest}"`, 'This event was not found.');
    const foreign = { kind: 'publishable', mode: 'test', origins: ['https://shop.example'] };
    const keys = `/v1/admin/organisations/${demo.organisation}/keys`;
    const { secret } = await createApi(url).make<{ secret: string }>(keys, rootToken, foreign);
    await tells(`event="${onSale}" public-key="${secret}"`, 'its address is not registered.');
    const { channel } = await post(`/v1/events/${onSale}/channels`, { name: 'Friends' });
    const links = `/v1/events/${onSale}/channels/${channel.id}/access-links`;
    const { link, capability } = await post(links, { maxRedemptions: 3 });
    await call('DELETE', `${links}/${link.id}?endActiveSessions=1`);
    await tells(`event="${onSale}" access="${capability}"`, 'This link has ended. Ask the sender for a new one.');
    await failed.close();
  });

  const all: State[] = ['on sale', 'chosen', 'held', 'list'];
  const looks: [string, BrowserContextOptions, string, State[]][] = [
    ['on a desktop', {}, 'en', all],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true }, 'en', all],
    ['on a phone on its side', { viewport: { width: 844, height: 390 }, hasTouch: true }, 'en', ['on sale', 'held']],
    ['in the dark', { colorScheme: 'dark' }, 'en', ['chosen', 'removed', 'held', 'list']],
    ['with more contrast', { contrast: 'more' }, 'en', ['held']],
    ['in forced colours', { forcedColors: 'active' }, 'en', ['held']],
    ['in German', {}, 'de', ['held']],
    ['in Arabic', {}, 'ar', ['removed', 'held', 'list']],
  ];
  test.each(looks)('%s', async (_, options, locale, states) => {
    const page = await open(await makeEvent(), options);
    await live(page);
    await page.evaluate(`document.querySelector('parterre-map').setAttribute('locale', '${locale}')`);
    // English has the region of the reader.
    await expect.poll(() => page.evaluate(inPicker('.parterre', 'lang'))).toMatch(new RegExp(`^${locale}(-US)?$`));
    const check = async (state: State) => {
      if (states.includes(state)) expect(await pickerFaults(page), state).toEqual([]);
    };
    await check('on sale');
    await page.evaluate(`document.querySelector('parterre-map').map.toggle(['C-4', 'H-1', 'H-2', 'Table 1'])`);
    await page.locator('[part~=basket] [part~=row]').nth(3).waitFor({ state: 'attached' });
    // The sheet of a phone hides the basket until it is opened.
    if (await page.locator('[part~=grip]').isVisible()) await page.locator('[part~=grip]').click();
    await check('chosen');
    await page.locator('[part~=remove]').first().click();
    await page.locator('[part~=undo]').waitFor();
    await check('removed');
    await page.locator('[data-action=undo]').click();
    await page.locator('[part~=basket] [part~=row]').nth(3).waitFor({ state: 'attached' });
    await page.evaluate(`document.querySelector('parterre-map').map.hold()`);
    await page.getByRole('timer').waitFor();
    await check('held');
    await page.locator('[part~=surfaces] button').last().click();
    await page.locator('[part~=list]').waitFor();
    await check('list');
    expect(await smallTargets(page, 'parterre-map')).toEqual([]);
    await page.close();
  });

  test('in a presale, and when it is sold out, closed, or bought', async () => {
    const doc = demoTheatre();
    doc.categories = doc.categories.map(({ tiers: _, ...category }) => ({ price: 30, ...category }));
    const presale = await makeEvent({ doc });
    const startsAt = Date.now() + 86_400_000;
    await call('PUT', `/v1/events/${presale}/releases`, { releases: [{ name: 'Early', price: 10, startsAt }] });
    const page = await open(presale, {});
    await page.getByRole('region', { name: 'Offers begin soon' }).waitFor();
    expect(await pickerFaults(page), 'presale').toEqual([]);
    const soldOut = await makeEvent();
    await sellAll(soldOut);
    await page.goto(addressOf(soldOut));
    await page.reload();
    await page.getByRole('region', { name: 'Sold out' }).waitFor();
    expect(await pickerFaults(page), 'sold out').toEqual([]);
    const closed = await makeEvent();
    await post(`/v1/events/${closed}/close`, {});
    await page.goto(addressOf(closed));
    await page.reload();
    await live(page);
    expect(await pickerFaults(page), 'closed').toEqual([]);
    await page.goto(addressOf(onSale));
    await page.reload();
    await live(page);
    await page.evaluate(`document.querySelector('parterre-map').map.toggle(['C-4'])`);
    const held = `document.querySelector('parterre-map').map.hold().then(() => document.querySelector('parterre-map').map.state().hold.holdId)`;
    const holdId = await page.evaluate(held);
    await post(`/v1/events/${onSale}/book`, { holdId, bookingRef: 'one' });
    await page.getByRole('region', { name: 'Bought' }).waitFor();
    expect(await pickerFaults(page), 'bought').toEqual([]);
    await page.close();
  });

  test.each(colourSchemes)('seats of every status stand out from their floor by 3:1, %s', async (_, options) => {
    const doc = demoTheatre();
    const rows = doc.objects as { id: string; overrides?: object[] }[];
    rows.find(({ id }) => id === 'row-d-left')!.overrides = [{ index: 0, accessibility: ['hearing'] }];
    const event = await makeEvent({ doc });
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
    const focus = async () => (await focusedIn(page)).name;
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
    for (const key of ['Enter', 'ArrowRight', ' ', 'ArrowRight', ' ', 'ArrowRight']) {
      await keyboard.press(key);
      await check(`${key} on the map`);
    }
    // The card beside the focused seat tells its price to the eye.
    await page
      .locator('.card')
      .filter({ hasText: /Row A, seat 4.*€60.*available/s })
      .waitFor();
    await keyboard.press('Escape');
    await check('Escape on the map');
    for (const name of ['Zoom in', 'Show everything', 'One more', 'List', 'Hold them for me']) {
      await page.getByRole('button', { name }).first().focus();
      expect(await page.evaluate(ring), name).toEqual({ isDrawn: true, isWhole: true });
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

  async function open(
    event: string,
    options: BrowserContextOptions,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<Page> {
    const page = await office.newPage({ viewport: desktop, ...options });
    await prepare?.(page);
    await page.goto(addressOf(event));
    return page;
  }
});

const inPicker = (selector: string, property: string) =>
  `document.querySelector('parterre-map').shadowRoot.querySelector('${selector}').${property}`;

/** Whether the focused button has a ring that can be seen, and whether no piece around it cuts the ring off. */
const ring = `(() => {
  const button = document.querySelector('parterre-map').shadowRoot.activeElement;
  const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(button);
  const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  const box = button.getBoundingClientRect();
  const cuts = (around) => {
    const { left, top, right, bottom } = around.getBoundingClientRect();
    const isCut = box.left - reach < left - 0.5 || box.top - reach < top - 0.5 || box.right + reach > right + 0.5 || box.bottom + reach > bottom + 0.5;
    return isCut && getComputedStyle(around).overflow !== 'visible';
  };
  const around = [];
  for (let each = button.parentElement; each; each = each.parentElement) around.push(each);
  const isDrawn = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && (reach > 0 || outlineColor !== getComputedStyle(button).backgroundColor);
  return { isDrawn, isWhole: !around.some(cuts) };
})()`;

const twoFrames = `(async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
})()`;
