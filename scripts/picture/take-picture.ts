/**
 * The pictures of the documents: the demo's seat map in the real picker, in the middle of a sale.
 *
 * Starts Parterre on a temporary data folder, sells a part of the house, opens the demo page in Chromium, selects
 * seats, and writes docs/images/*.png: the README's picture, the main states by device, colours and language, the
 * designer, the templates and the console (`npm run picture -- designer`, `templates` or `console` for these alone).
 * The fonts are those of the machine.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/support/servers/chromium.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { createApi } from '../launch/api.ts';
import type { Demo } from '../launch/demo.ts';
import { root } from '../launch/root.ts';
import { demoPageOf } from '../launch/welcome.ts';
import { takeConsole } from './console-pictures.ts';
import { takeDesigner } from './designer-picture.ts';
import { settleMs, untilLive } from './open-map.ts';
import { takeTemplates } from './template-pictures.ts';

/** The pictures show the picker, without the demo's link to the drawing page. */
const env = { PARTERRE_DEMO_DRAFTS: 'off' };
const folder = join(root, 'docs', 'images');
const desktop = { width: 1200, height: 750 };
const phone = { width: 390, height: 844 };

const sold = {
  A: [1, 2, 5, 6, 7, 8, 9],
  B: [3, 4, 5, 8, 9, 12],
  C: [1, 2, 9, 10, 11],
  D: [6, 7, 8],
  E: [2, 3, 10],
  F: [11, 12],
  G: [5, 6],
};
const heldByOthers = ['D-1', 'D-2', 'E-7'];

type Shot = {
  name: string;
  options: BrowserContextOptions;
  locale?: string;
  chosen: string[];
  /** Holds the choice. */
  isHeld?: true;
};

const small = { viewport: desktop };
const shots: Shot[] = [
  // Sharp text on dense screens, in less than 300 kB.
  { name: 'picker', options: { viewport: desktop, deviceScaleFactor: 1.5 }, chosen: ['C-4', 'C-5', 'C-6'] },
  { name: 'picker-held', options: small, chosen: ['C-4', 'C-5'], isHeld: true },
  { name: 'picker-phone', options: { viewport: phone, hasTouch: true }, chosen: ['F-4', 'F-5'] },
  { name: 'picker-dark', options: { ...small, colorScheme: 'dark' }, chosen: ['C-4', 'C-5', 'C-6'] },
  { name: 'picker-german', options: small, locale: 'de', chosen: ['C-4', 'C-5'], isHeld: true },
  { name: 'picker-arabic', options: small, locale: 'ar', chosen: ['C-4', 'C-5', 'C-6'] },
];

async function main(): Promise<void> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  const [parterre, browser] = await Promise.all([startParterre({ env }), launchChromium(found.path)]);
  mkdirSync(folder, { recursive: true });
  try {
    const only = process.argv[2];
    if (only === undefined || only === 'console') await takeConsole(browser, parterre.url, parterre.rootToken, folder);
    if (only === 'console') return;
    if (only !== 'templates') await takeDesigner(browser, parterre.demo, folder);
    if (only === 'designer') return;
    await takeTemplates(browser, parterre.demo, folder);
    if (only === 'templates') return;
    await sellSome(parterre.demo);
    for (const shot of shots) await take(browser, demoPageOf(parterre.demo), shot);
  } finally {
    await browser.close();
    await parterre.stop();
  }
}

async function take(browser: Browser, address: string, { name, options, locale, chosen, isHeld }: Shot): Promise<void> {
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
  await page.goto(address);
  await untilLive(page);
  if (locale) await page.evaluate(`document.querySelector('parterre-map').setAttribute('locale', '${locale}')`);
  await page.evaluate(`document.querySelector('parterre-map').map.toggle(${JSON.stringify(chosen)})`);
  if (isHeld) await page.evaluate(`document.querySelector('parterre-map').map.hold()`);
  await page.mouse.move(desktop.width / 2, 0);
  await pause(settleMs);
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  console.log(`wrote ${file}`);
  // The next page finds the same seats free.
  if (isHeld) await page.evaluate(`document.querySelector('parterre-map').map.release()`);
  await page.close();
}

async function sellSome({ url, eventKey, keys }: Demo): Promise<void> {
  const api = createApi(url);
  const event = `/v1/events/${eventKey}`;
  const labels = Object.entries(sold).flatMap(([row, seats]) => seats.map((seat) => `${row}-${seat}`));
  await api.make(`${event}/book`, keys.secretTest, { labels, bookingRef: 'earlier-sales' });
  await api.make(`${event}/hold`, keys.secretTest, { labels: heldByOthers });
}

await main();
