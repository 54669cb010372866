/**
 * The picture of the README: the demo's seat map in the real picker, in the middle of a sale.
 *
 * Starts Parterre on a temporary data folder, sells a part of the house, opens the demo page in Chromium, selects
 * seats, and writes docs/images/picker.png. The fonts are those of the machine.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/support/servers/chromium.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { createApi } from '../launch/api.ts';
import type { Demo } from '../launch/demo.ts';
import { root } from '../launch/root.ts';
import { demoPageOf } from '../launch/welcome.ts';

const file = join(root, 'docs', 'images', 'picker.png');
const viewport = { width: 1200, height: 750 };
/** Sharp text on dense screens, in less than 300 kB. */
const deviceScaleFactor = 1.5;
const openMsMax = 60_000;
/** Time for the map's last flight and fade. */
const settleMs = 1_500;

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
const chosen = ['C-4', 'C-5', 'C-6'];

async function main(): Promise<void> {
  const found = await findChromium();
  if ('missing' in found) throw new Error(found.missing);
  const [parterre, browser] = await Promise.all([startParterre(), launchChromium(found.path)]);
  try {
    await sellSome(parterre.demo);
    const page = await browser.newPage({ viewport, deviceScaleFactor, reducedMotion: 'reduce' });
    await page.goto(demoPageOf(parterre.demo));
    await untilLive(page);
    for (const label of chosen) await select(page, label);
    await page.getByRole('combobox').last().selectOption('child');
    await page.mouse.move(viewport.width / 2, 0);
    await pause(settleMs);
    mkdirSync(dirname(file), { recursive: true });
    await page.screenshot({ path: file });
    console.log(`wrote ${file}`);
  } finally {
    await browser.close();
    await parterre.stop();
  }
}

async function sellSome({ url, eventKey, keys }: Demo): Promise<void> {
  const api = createApi(url);
  const event = `/v1/events/${eventKey}`;
  const labels = Object.entries(sold).flatMap(([row, seats]) => seats.map((seat) => `${row}-${seat}`));
  await api.make(`${event}/book`, keys.secretTest, { labels, bookingRef: 'earlier-sales' });
  await api.make(`${event}/hold`, keys.secretTest, { labels: heldByOthers });
}

async function untilLive(page: Page): Promise<void> {
  const until = performance.now() + openMsMax;
  // Waiting within the page would need eval, which its policy forbids.
  while ((await page.evaluate(`document.querySelector('parterre-map')?.map?.state().connection`)) !== 'live') {
    if (performance.now() > until) throw new Error('the map did not open');
    await pause(100);
  }
  await pause(settleMs);
}

async function select(page: Page, label: string): Promise<void> {
  const at = (await page.evaluate(`{
    const element = document.querySelector('parterre-map');
    const { left, top } = element.shadowRoot.querySelector('.canvas').getBoundingClientRect();
    const { x, y } = element.map.placeOf('${label}');
    ({ x: left + x, y: top + y });
  }`)) as { x: number; y: number };
  await page.mouse.click(at.x, at.y);
  await pause(settleMs / 3);
}

await main();
