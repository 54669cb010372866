/** The picker in a real browser, on the demo page that a front door serves. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { type Parterre, startParterre } from '../support/server.ts';

const found = await findChromium();
if ('missing' in found) console.log(`The browser tests are skipped: ${found.missing}`);
// Where nobody reads the message, a browser that is missing must not look like a pass.
if ('missing' in found && process.env.CI) throw new Error(found.missing);

describe.skipIf('missing' in found)('the demo page', () => {
  let parterre: Parterre;
  let browser: Browser;

  beforeAll(async () => {
    if (!('path' in found)) return;
    [parterre, browser] = await Promise.all([startParterre(), launchChromium(found.path)]);
  });

  afterAll(async () => {
    await browser?.close();
    await parterre?.stop();
  });

  test('is served with a policy under which nothing but its own scripts runs, and is kept by browsers until it changes', async () => {
    const page = await fetch(`${parterre.url}/demo`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    const script = await fetch(`${parterre.url}/demo/parterre.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
    const etag = script.headers.get('etag')!;
    const again = await fetch(`${parterre.url}/demo/parterre.js`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect((await fetch(`${parterre.url}/demo/..%2Ffrontdoor.js`)).status).toBe(404);
  });

  test('its printed address shows the demo event, and a seat that is sold elsewhere goes while one looks', async () => {
    const address = /http\S+\/demo#\S+/.exec(parterre.output())![0];
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    await openWithKey(page, address);
    await page.getByRole('button', { name: /^Stalls: 96 of 96 free/ }).waitFor({ state: 'attached' });
    await post(`book`, { labels: ['A-1'], bookingRef: 'elsewhere' });
    await page.getByRole('button', { name: /^Stalls: 95 of 96 free/ }).waitFor({ state: 'attached', timeout: 15_000 });
    expect(wrong).toEqual([]);
    await page.close();
  });

  async function openWithKey(page: Page, address: string): Promise<void> {
    await page.addInitScript(`document.addEventListener('DOMContentLoaded', () =>
      document.querySelector('parterre-map').setAttribute('bearer', ''))`);
    await page.goto(address);
  }

  async function post(action: string, body: unknown): Promise<void> {
    const { demo, url } = parterre;
    const headers = { Authorization: `Bearer ${demo.keys.secretTest}`, 'Content-Type': 'application/json' };
    const path = `${url}/v1/events/${demo.eventKey}/${action}`;
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  }
});
