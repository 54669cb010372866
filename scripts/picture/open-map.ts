/** Waits for the seat map of a page. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const openMsMax = 60_000;
/** Time for the map's last flight and fade. */
export const settleMs = 1_500;

export async function untilLive(page: Page): Promise<void> {
  const until = performance.now() + openMsMax;
  // Waiting within the page would need eval, which its policy forbids.
  while ((await page.evaluate(`document.querySelector('parterre-map')?.map?.state().connection`)) !== 'live') {
    if (performance.now() > until) throw new Error('the map did not open');
    await pause(100);
  }
  await pause(settleMs);
}
