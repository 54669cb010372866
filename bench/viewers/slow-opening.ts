/** The way from the navigation to a live map over a slow network, which Chromium plays. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { told } from './travel.ts';

/** A round trip takes `latency` ms. Sockets are as fast as the machine: Chromium slows them down nowhere. */
const networks = [
  { name: '3G (400 kbit/s, 400 ms)', latency: 400, bytesPerSecond: 50_000 },
  { name: 'fast, far away (20 Mbit/s, 200 ms)', latency: 200, bytesPerSecond: 2_500_000 },
];
const openMsMax = 60_000;

/** Milliseconds from the start of the navigation. */
type Opening = { asked: number; scripts: number; drawn: number; live: number };

export async function tellSlowOpenings(browser: Browser, address: string, opens: number): Promise<void> {
  for (const { name, latency, bytesPerSecond } of networks) {
    const openings: Opening[] = [];
    for (let open = 0; open < opens; open++) {
      // Of its own, without a file in its cache.
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const page = await context.newPage();
      const network = await context.newCDPSession(page);
      const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
      await network.send('Network.enable');
      await network.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughput });
      await page.addInitScript(watchOpening);
      await page.goto(address, { waitUntil: 'commit' });
      const until = performance.now() + openMsMax;
      let opening: Opening | null = null;
      while (opening === null && performance.now() < until) {
        await pause(100);
        opening = (await page.evaluate(readOpening)) as Opening | null;
      }
      if (opening === null) throw new Error(`the map did not open over ${name}`);
      openings.push(opening);
      await context.close();
    }
    const column = (of: keyof Opening) => told(openings.map((each) => each[of]));
    console.log(
      `${name}: sale asked ${column('asked')}, scripts there ${column('scripts')}, ` +
        `first picture ${column('drawn')}, live ${column('live')} ms`,
    );
  }
}

/** Notes the first moment at which the feed is live, which may be before the picture. */
const watchOpening = `(() => {
  const watch = setInterval(() => {
    const map = document.querySelector('parterre-map')?.map;
    if (map?.state().connection !== 'live') return;
    window.liveAt = performance.now();
    clearInterval(watch);
  }, 5);
})()`;

const readOpening = `(() => {
  const drawn = document.querySelector('parterre-map')?.map?.view?.drawn.firstMs;
  if (!window.liveAt || !drawn) return null;
  const files = performance.getEntriesByType('resource');
  const sale = files.find(({ name }) => name.includes('/bootstrap'));
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  return {
    asked: sale.startTime,
    scripts: Math.max(...scripts.map(({ responseEnd }) => responseEnd)),
    drawn,
    live: Math.max(drawn, window.liveAt),
  };
})()`;
