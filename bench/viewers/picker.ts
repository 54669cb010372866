/**
 * `npm run bench -- picker`: the picker in a headless Chromium. It prints
 * - the first picture of the demo and of a hall of 100,000 seats, from the start of the navigation;
 * - the same over slow networks, with the moments at which the sale is asked for and the map is live;
 * - for each frame over the large hall, panned and zoomed from the whole hall down to single seats: the script's own
 *   drawing, the processor time of the page's process (a mean), and the time from one frame to the next;
 * - the time from an arrow key in a section to the next frame.
 * The others are a median, a 95th percentile and the worst. Without a graphics card the machine draws in software, and
 * the time between frames means little alone. So the benchmark also measures a page of the same size that only clears
 * its canvas.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { bowl } from '../../scripts/generate-charts.mjs';
import { installChromium, launchChromium } from '../../test/support/servers/chromium.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { post } from '../load/post.ts';
import { publishHall } from '../sales/parterre.ts';
import { tellSlowOpenings } from './slow-opening.ts';
import { clearing, type Travelled, told, travelling, travels } from './travel.ts';

const options = readArguments({
  frames: { type: 'string', default: '90' },
  opens: { type: 'string', default: '5' },
  keys: { type: 'string', default: '40' },
  width: { type: 'string' },
  height: { type: 'string' },
});
const frames = Number(options.frames);
const opens = Number(options.opens);
const keys = Number(options.keys);
const viewport = { width: Number(options.width ?? 1280), height: Number(options.height ?? 800) };
const openMsMax = 120_000;

async function main(): Promise<void> {
  const found = await installChromium((line) => console.log(line));
  if ('missing' in found) throw new Error(found.missing);
  const [parterre, browser] = await Promise.all([startParterre(), launchChromium(found.path)]);
  try {
    const { secretTest, publishableTest } = parterre.demo.keys;
    const event = await makeEvent(parterre.url, secretTest);
    console.log(
      `${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; ${viewport.width} × ${viewport.height}, ${frames} frames each`,
    );
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    const metrics = await browser.newBrowserCDPSession();
    await page.goto(parterre.url);
    const cleared = (await page.evaluate(clearing(frames))) as number[];
    console.log(`a canvas that is only cleared: ${told(cleared)} ms from frame to frame`);
    const address = (key: string) => `${parterre.url}/demo#event=${key}&key=${publishableTest}`;
    await tellFirstPicture(page, address(parterre.demo.eventKey), 'the demo');
    await tellFirstPicture(page, address(event), '100,000 seats');
    await tellSlowOpenings(browser, address(parterre.demo.eventKey), opens);
    for (const travel of travels) await tellTravel(page, metrics, travel);
    await tellKeys(page);
    console.log(`load ${loadavg()[0]!.toFixed(1)} at the end`);
  } finally {
    await browser.close();
    await parterre.stop();
  }
}

async function makeEvent(url: string, token: string): Promise<string> {
  const chartId = await publishHall(url, token, bowl());
  return (await post<{ meta: { key: string } }>(`${url}/v1/events`, { chartId }, token)).meta.key;
}

async function untilLive(page: Page): Promise<void> {
  const until = performance.now() + openMsMax;
  // Waiting within the page would need eval, which its policy forbids.
  while ((await page.evaluate(`document.querySelector('parterre-map')?.map?.state().connection`)) !== 'live') {
    if (performance.now() > until) throw new Error('the map did not open');
    await pause(100);
  }
}

async function tellFirstPicture(page: Page, address: string, name: string): Promise<void> {
  const times: number[] = [];
  for (let open = 0; open < opens; open++) {
    await page.goto('about:blank');
    await page.goto(address);
    times.push(await untilDrawn(page));
  }
  console.log(`first picture of ${name}: ${told(times)} ms`);
}

/** From the start of the navigation. */
async function untilDrawn(page: Page): Promise<number> {
  await untilLive(page);
  for (let waited = 0; waited < openMsMax; waited += 50) {
    const ms = (await page.evaluate(firstPicture)) as number;
    if (ms > 0) return ms;
    await pause(50);
  }
  throw new Error('the map has no picture');
}

const mapView = `document.querySelector('parterre-map').map.view`;
const firstPicture = `${mapView}.drawn.firstMs`;

async function tellKeys(page: Page): Promise<void> {
  const times = (await page.evaluate(walking(keys))) as number[];
  console.log(`an arrow key in a section of 500 seats: ${told(times)} ms to the next frame`);
}

async function tellTravel(
  page: Page,
  metrics: CDPSession,
  { name, scale, step }: (typeof travels)[number],
): Promise<void> {
  // The warm-up draws everything that is drawn for the first time.
  await page.evaluate(travelling(mapView, scale, step, 12));
  const before = await processorMs(metrics);
  const { script, frame, seats } = (await page.evaluate(travelling(mapView, scale, step, frames))) as Travelled;
  const processor = ((await processorMs(metrics)) - before) / frame.length;
  const line = [
    name.padEnd(33),
    `${seats} seats`.padStart(13),
    `drawing ${told(script)}`,
    `processor ${processor.toFixed(1)}`,
  ];
  console.log(`${line.join('  ')}  frame to frame ${told(frame)} ms`);
}

/** The processor time of all pages of the browser, which has one page. A busy machine hardly changes it. */
async function processorMs(metrics: CDPSession): Promise<number> {
  const { processInfo } = await metrics.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  return pages.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

/** Enters the first section, and walks in it. */
function walking(count: number): string {
  return `(async () => {
    const { shadowRoot, map } = document.querySelector('parterre-map');
    const next = () => new Promise(requestAnimationFrame);
    map.view.fit();
    shadowRoot.querySelector('[data-entry]').click();
    await next();
    const times = [];
    for (let i = 0; i < ${count}; i++) {
      const key = ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft'][i % 4];
      const since = performance.now();
      shadowRoot.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
      await next();
      times.push(performance.now() - since);
    }
    return times;
  })()`;
}

await main();
