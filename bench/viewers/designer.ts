/**
 * `npm run bench -- designer`: the designer with a chart of 100,000 seats in a headless Chromium. It prints
 * - the first picture, from the start of the navigation;
 * - for each frame while the chart is panned and zoomed: the script's own drawing, and the time from a frame to the
 *   next;
 * - the same while the chart is panned after an edit, and its issues are looked for;
 * - for edits of 5,000 seats (move, renumber, another category) at three scales: the call of the edit, the frame that
 *   shows it, and the frame that leaves nothing undrawn.
 * Each is a median, a 95th percentile and the worst. Frames without a graphics card are those of a slow machine, so a
 * canvas that is only cleared is measured too. A median past its bound ends the run with 1.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { bowl } from '../../scripts/generate-charts.mjs';
import { installChromium, launchChromium } from '../../test/support/servers/chromium.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { post } from '../load/post.ts';
import { medianOf } from '../load/quantile.ts';
import { clearing, type Travelled, told, travelling, travels } from './travel.ts';

const options = readArguments({
  frames: { type: 'string', default: '60' },
  opens: { type: 'string', default: '5' },
  edits: { type: 'string', default: '15' },
});
const frames = Number(options.frames);
const opens = Number(options.opens);
const edits = Number(options.edits);
const viewport = { width: 1440, height: 900 };
const openWaitMsMax = 120_000;
/** The bounds of the medians, in milliseconds. A median above its bound fails the run. */
const bounds = { opening: 2_000, frame: 50, editShown: 100 };
const shell = `document.querySelector('#designer')?.shell`;
const view = `${shell}.bench.board.view`;

/** Given an object of 200 rows, each gives another. */
const changes = {
  move: `(row) => ({ ...row, origin: { ...row.origin, x: row.origin.x + 3 } })`,
  renumber: `(row) => ({ ...row, seatLabelStart: (row.seatLabelStart ?? 1) + 1 })`,
  category: `(row) => ({ ...row, categoryKey: row.categoryKey === 'top' ? 'club' : 'top' })`,
};
/** CSS pixels a chart unit; null shows everything. */
const scales = [null, 0.28, 0.5] as const;

type Edited = { seats: number; call: number[]; shown: number[]; whole: number[] };

async function main(): Promise<void> {
  const found = await installChromium((line) => console.log(line));
  if ('missing' in found) throw new Error(found.missing);
  const [parterre, browser] = await Promise.all([startParterre(), launchChromium(found.path)]);
  try {
    console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; ${viewport.width} × ${viewport.height}`);
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    await page.goto(parterre.url);
    console.log(
      `a canvas that is only cleared: ${told((await page.evaluate(clearing(frames))) as number[])} ms a frame`,
    );
    const address = await makeSession(parterre.url, parterre.demo.keys.secretTest);
    const times: number[] = [];
    for (let open = 0; open < opens; open++) times.push(await untilDrawn(page, address));
    console.log(`first picture of 100,000 seats: ${told(times)} ms`);
    checkBound('the first picture', times, bounds.opening);
    for (const { name, scale, step } of travels) {
      // The warm-up draws everything that is drawn for the first time.
      await page.evaluate(travelling(view, scale, step, 12));
      const { script, frame } = (await page.evaluate(travelling(view, scale, step, frames))) as Travelled;
      console.log(`${name.padEnd(33)} drawing ${told(script)}  frame to frame ${told(frame)} ms`);
      checkBound(name, frame, bounds.frame);
    }
    await tellAfterEdit(page);
    for (const scale of scales) {
      for (const [name, change] of Object.entries(changes)) await tellEdit(page, name, change, scale);
    }
    console.log(`load ${loadavg()[0]!.toFixed(1)} at the end`);
  } finally {
    await browser.close();
    await parterre.stop();
  }
}

function checkBound(what: string, values: number[], msMax: number): void {
  const median = medianOf(values);
  if (median <= msMax) return;
  console.log(`Too slow: ${what} takes ${median.toFixed(1)} ms at the median. The bound is ${msMax} ms.`);
  process.exitCode = 1;
}

async function makeSession(url: string, token: string): Promise<string> {
  const doc = bowl();
  const { meta } = await post<{ meta: { id: string; workspaceId: string } }>(
    `${url}/v1/charts`,
    { name: doc.name, doc },
    token,
  );
  const grant = { workspaceId: meta.workspaceId, chartId: meta.id, allowedOrigin: url, authority: 'edit' };
  const { session } = await post<{ session: { designerUrl: string } }>(`${url}/v1/designer/sessions`, grant, token);
  return session.designerUrl;
}

async function untilDrawn(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  for (let waited = 0; waited < openWaitMsMax; waited += 50) {
    const ms = (await page.evaluate(`${shell} ? ${view}.drawn.firstMs : 0`)) as number;
    if (ms > 0) return ms;
    await pause(50);
  }
  throw new Error('the designer has no picture');
}

/** The look at the issues begins when the edits have paused, and takes a few tenths of a second. */
async function tellAfterEdit(page: Page): Promise<void> {
  const change = changes.renumber;
  await page.evaluate(`(() => {
    const change = ${change};
    document.querySelector('#designer').editor.apply(({ objects, ...rest }) => {
      const rows = new Set(objects.filter(({ type }) => type === 'row').slice(0, 200));
      return { ...rest, objects: objects.map((each) => (rows.has(each) ? change(each) : each)) };
    }, 'draw.step.move');
  })()`);
  const { script, frame } = (await page.evaluate(travelling(view, 0.28, 1, 2 * frames))) as Travelled;
  console.log(`${'panned after an edit'.padEnd(33)} drawing ${told(script)}  frame to frame ${told(frame)} ms`);
  checkBound('panned after an edit', frame, bounds.frame);
}

async function tellEdit(page: Page, name: string, change: string, scale: number | null): Promise<void> {
  const { seats, call, shown, whole } = (await page.evaluate(editing(change, scale, edits))) as Edited;
  const where = scale === null ? 'from afar' : `at ${scale} pixels a unit`;
  const what = `${name} of ${seats} seats ${where}`;
  console.log(`${what.padEnd(48)} call ${told(call)}  shown ${told(shown)}  whole ${told(whole)} ms`);
  checkBound(what, shown, bounds.editShown);
}

/**
 * Changes the first 200 rows, in the middle of the screen. Undone steps are part of the next edit's cost, as in use.
 */
function editing(change: string, scale: number | null, count: number): string {
  return `(async () => {
    const { editor } = document.querySelector('#designer');
    const view = ${view};
    const next = () => new Promise(requestAnimationFrame);
    const rows = editor.document.objects.filter(({ type }) => type === 'row').slice(0, 200);
    const ids = new Set(rows.map(({ id }) => id));
    const seats = rows.reduce((sum, { seatCount }) => sum + seatCount, 0);
    const { width, height } = view.size;
    if (${scale === null}) view.fit();
    else view.look({ scale: ${scale}, x: width / 2 - rows[0].origin.x * ${scale}, y: height / 2 - rows[0].origin.y * ${scale} });
    const change = ${change};
    const [call, shown, whole] = [[], [], []];
    for (let i = -2; i < ${count}; i++) {
      for (let rest = 0; rest < 20; rest++) await next();
      const since = performance.now();
      const before = view.drawn.frames;
      editor.apply((document) => ({ ...document, objects: document.objects.map((each) => (ids.has(each.id) ? change(each) : each)) }), 'draw.step.move');
      const called = performance.now() - since;
      do await next(); while (view.drawn.frames === before);
      const first = performance.now() - since;
      let last = first;
      for (let frames = view.drawn.frames, rest = 0; rest < 3; rest++) {
        await next();
        if (view.drawn.frames === frames) continue;
        frames = view.drawn.frames;
        last = performance.now() - since;
        rest = 0;
      }
      if (i < 0) continue;
      call.push(called);
      shown.push(first);
      whole.push(last);
    }
    return { seats, call, shown, whole };
  })()`;
}

await main();
