/**
 * `npm run bench -- console`: the console in a headless Chromium. It prints
 * - the first page: its bytes as they travel (gzip or brotli, as the browser asks), and the time from the start of the
 *   navigation to the list of 200 events with their counts;
 * - one reading of these 200 events: its bytes and time, whole and unchanged (304);
 * - an event of 100,000 seats: the time from the start of the navigation to the first picture on the tab of the map;
 * - a list of 50,000 bookings: reading them page by page, drawing them first, and a frame while the list is scrolled.
 * Times are a median, a 95th percentile and the worst. A first page above its bound ends the run with 1.
 */
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { bowl, demoTheatre } from '../../scripts/generate-charts.mjs';
import { root } from '../../scripts/launch/root.ts';
import { installChromium, launchChromium } from '../../test/support/servers/chromium.ts';
import { type Parterre, startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { post } from '../load/post.ts';
import { told } from './travel.ts';

const options = readArguments({
  opens: { type: 'string', default: '5' },
  bookings: { type: 'string', default: '50000' },
});
const opens = Number(options.opens);
const bookingsWanted = Number(options.bookings);
const viewport = { width: 1280, height: 800 };
const EVENTS = 200;
const SCROLLED_FRAMES = 60;
const firstPageBytesMax = 150 * 1024;
const openMsMax = 120_000;
const password = 'a long enough password';

type World = { url: string; email: string; secret: string };

async function main(): Promise<void> {
  const found = await installChromium((line) => console.log(line));
  if ('missing' in found) throw new Error(found.missing);
  const env = { PARTERRE_BUDGETS: 'off' };
  const [parterre, browser] = await Promise.all([startParterre({ env }), launchChromium(found.path)]);
  try {
    console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; ${viewport.width} × ${viewport.height}`);
    const world = await makeWorld(parterre);
    const large = await makeEvents(world);
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    await signIn(page, world);
    await tellFirstPage(page, world);
    await tellReading(page);
    await tellMap(page, world, large);
    await tellBookings(browser, world, large);
    console.log(`load ${loadavg()[0]!.toFixed(1)} at the end`);
  } finally {
    await browser.close();
    await parterre.stop();
  }
}

async function makeWorld({ url, rootToken }: Parterre): Promise<World> {
  const organisations = `${url}/v1/admin/organisations`;
  const draft = { name: 'Benchmark', currency: 'EUR' };
  const { organisation } = await post<{ organisation: { id: string } }>(organisations, draft, rootToken);
  const of = `${organisations}/${organisation.id}`;
  const email = `bench-${organisation.id}@theatre.example`;
  await post(`${of}/users`, { email, password, role: 'owner' }, rootToken);
  const key = { kind: 'secret', mode: 'test', origins: [] };
  const { secret } = await post<{ secret: string }>(`${of}/keys`, key, rootToken);
  return { url, email, secret };
}

/** The key of an event of 100,000 seats, beside 200 of the theatre. */
async function makeEvents({ url, secret }: World): Promise<string> {
  const chartOf = async (doc: { name: string }): Promise<string> => {
    const { meta } = await post<{ meta: { id: string } }>(`${url}/v1/charts`, { name: doc.name, doc }, secret);
    await post(`${url}/v1/charts/${meta.id}/publish`, {}, secret);
    return meta.id;
  };
  const event = async (chartId: string, name: string): Promise<string> => {
    const body = { chartId, name, startsAt: 1_900_000_000_000, timezone: 'Europe/Vienna' };
    return (await post<{ meta: { key: string } }>(`${url}/v1/events`, body, secret)).meta.key;
  };
  const large = await event(await chartOf(bowl()), 'Stadium');
  const theatre = await chartOf(demoTheatre());
  for (let made = 0; made < EVENTS; made++) await event(theatre, `Evening ${made + 1}`);
  return large;
}

async function signIn(page: Page, { url, email }: World): Promise<void> {
  await page.goto(`${url}/console#/test/all/events`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('row').nth(1).waitFor();
}

/** Milliseconds from the start of the navigation until the expression is true in the page. */
async function until(page: Page, expression: string): Promise<number> {
  const since = performance.now();
  while (performance.now() - since < openMsMax) {
    if (await page.evaluate(expression)) return (await page.evaluate('performance.now()')) as number;
    await pause(20);
  }
  throw new Error(`the page never has: ${expression}`);
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
}

async function tellFirstPage(page: Page, { url }: World): Promise<void> {
  const times: number[] = [];
  for (let each = 0; each < opens; each++) {
    await open(page, `${url}/console#/test/all/events`);
    times.push(await until(page, `document.querySelectorAll('.rows tbody tr[data-index]').length > 5`));
  }
  const fresh = await page.context().browser()!.newPage({ viewport });
  await fresh.goto(`${url}/console`);
  await fresh.getByLabel('Email').waitFor();
  const sum = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, performance.getEntriesByType('navigation')[0].encodedBodySize)`;
  const bytes = (await fresh.evaluate(sum)) as number;
  await fresh.context().close();
  console.log(`the first page: ${bytes} bytes; the list of ${EVENTS} events: ${told(times)} ms`);
  if (bytes <= firstPageBytesMax) return;
  console.log(`Too large: the first page has ${bytes} bytes. The bound is ${firstPageBytesMax}.`);
  process.exitCode = 1;
}

async function tellReading(page: Page): Promise<void> {
  const read = (init: string): string => `(async () => {
    const times = [];
    let bytes = 0;
    for (let each = 0; each < ${4 * opens}; each++) {
      const since = performance.now();
      const answer = await fetch('/v1/events?limit=${EVENTS}', ${init});
      bytes = (await answer.text()).length;
      times.push(performance.now() - since);
    }
    return { times, bytes };
  })()`;
  const etag = (await page.evaluate(
    `fetch('/v1/events?limit=${EVENTS}').then((answer) => answer.headers.get('ETag'))`,
  )) as string;
  for (const [name, init] of [
    ['whole', `{ cache: 'no-store' }`],
    ['unchanged', `{ cache: 'no-store', headers: { 'If-None-Match': ${JSON.stringify(etag)} } }`],
  ] as const) {
    const { times, bytes } = (await page.evaluate(read(init))) as { times: number[]; bytes: number };
    console.log(`one reading of ${EVENTS} events, ${name}: ${bytes} bytes, ${told(times)} ms`);
  }
}

/** A painted point somewhere on the canvas of the hall. */
const isPainted = `(() => {
  const canvas = document.querySelector('.hall canvas');
  if (!canvas || canvas.width === 0) return false;
  const small = new OffscreenCanvas(64, 64).getContext('2d');
  small.drawImage(canvas, 0, 0, 64, 64);
  return small.getImageData(0, 0, 64, 64).data.some((value) => value > 0);
})()`;

async function tellMap(page: Page, { url }: World, key: string): Promise<void> {
  const times: number[] = [];
  for (let each = 0; each < opens; each++) {
    await open(page, `${url}/console#/test/all/event/${key}/map`);
    times.push(await until(page, isPainted));
  }
  console.log(`the map of 100,000 seats: ${told(times)} ms to the first picture`);
}

/** The tab of an event that lists its bookings; measured where the console has it. */
const bookingsTab = 'bookings';

async function tellBookings(browser: Browser, world: World, key: string): Promise<void> {
  await book(world, key);
  // The table is put into the page beside the console, which the page's policy forbids.
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce', bypassCSP: true });
  await signIn(page, world);
  await page.addScriptTag({ content: await tableOfBookings() });
  const { read, count, drawn, frames } = (await page.evaluate(
    `openBookings('/v1/events/${key}/bookings', ${SCROLLED_FRAMES})`,
  )) as { read: number; count: number; drawn: number; frames: number[] };
  console.log(`${count} bookings, read in pages of 200: ${read.toFixed(0)} ms`);
  console.log(`their table: ${drawn.toFixed(0)} ms to the first rows, sorted and drawn`);
  console.log(`a frame while it is scrolled: ${told(frames)} ms`);
  await open(page, `${world.url}/console#/test/all/event/${key}/${bookingsTab}`);
  await page.locator('.tabs').waitFor();
  if ((await page.locator(`.tabs a[aria-current][href*="/${bookingsTab}"]`).count()) === 0) return;
  console.log(
    `the tab: ${(await until(page, `document.querySelector('.rows tbody tr[data-index]') !== null`)).toFixed(0)} ms to its first rows`,
  );
}

/** Books one seat a booking, all with one file. */
async function book({ url, secret }: World, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${secret}` };
  const event = (await (await fetch(`${url}/v1/events/${key}`, { headers })).json()) as { meta: { chartId: string } };
  const seats = await (await fetch(`${url}/v1/charts/${event.meta.chartId}/export?format=csv`, { headers })).text();
  const [head = '', ...lines] = seats.split(/\r?\n/);
  const column = head.split(',').indexOf('label');
  const labels = lines.filter(Boolean).map((line) => line.split(',')[column]);
  const rows = labels.slice(0, bookingsWanted).map((label, index) => `${label},order-${index},50`);
  const path = `${url}/v1/events/${key}/imports/bookings`;
  const begun = await fetch(path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'text/csv', 'Idempotency-Key': crypto.randomUUID() },
    body: ['label,bookingRef,price', ...rows].join('\n'),
  });
  let answer = (await begun.json()) as { import: { id: string; state: string; accepted: number } };
  while (answer.import.state === 'running') {
    await pause(500);
    answer = (await (await fetch(`${path}/${answer.import.id}`, { headers })).json()) as typeof answer;
  }
  if (answer.import.accepted !== rows.length) throw new Error(`the import took ${JSON.stringify(answer)}`);
}

/** A script for the page: reads all bookings, and shows them in the console's table. */
async function tableOfBookings(): Promise<string> {
  const contents = `
    import { render, html } from 'lit-html';
    import { Rows } from './frame/rows.ts';
    globalThis.openBookings = async (path, frames) => {
      const started = performance.now();
      const bookings = [];
      for (let cursor = ''; cursor !== null; ) {
        const answer = await (await fetch(path + '?limit=200' + (cursor && '&cursor=' + encodeURIComponent(cursor)))).json();
        bookings.push(...answer.bookings);
        cursor = answer.nextCursor;
      }
      const read = performance.now() - started;
      const host = document.body.appendChild(document.createElement('div'));
      const columns = ['bookingRef', 'state', 'bookedAt', 'activeQuantity', 'total'].map((id) => ({
        id, title: id, draw: (booking) => booking[id], sortBy: (booking) => booking[id],
      }));
      const order = { id: 'bookingRef', isDown: true };
      const next = () => new Promise(requestAnimationFrame);
      const changed = () => requestAnimationFrame(() => render(rows.draw(bookings, columns), host));
      const rows = new Rows('Bookings', changed, { read: () => order, write() {} });
      const since = performance.now();
      render(rows.draw(bookings, columns), host);
      while (!host.querySelector('tr[data-index]')) await next();
      const drawn = performance.now() - since;
      const scroller = host.querySelector('.rows');
      const times = [];
      for (let frame = 0; frame < frames; frame++) {
        const from = performance.now();
        scroller.scrollTop = (scroller.scrollHeight * frame) / frames;
        await next();
        await next();
        times.push((performance.now() - from) / 2);
      }
      return { read, count: bookings.length, drawn, frames: times };
    };`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'web/console'), loader: 'js' },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]!.text;
}

await main();
