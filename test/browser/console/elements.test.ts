/**
 * docs/back-office.md as printed: the elements in a page of a platform, on another origin and under the printed policy,
 * with manage sessions that the platform's server makes.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, type Json } from '../box-office.ts';

describeInBrowser('an element in a back office', { timeout: 90_000 }, (office) => {
  let platform: Server;
  let origin = '';
  let blocks: { language: string; text: string }[] = [];
  let capabilities: string[] = [];
  let tokensLeft = 0;
  let asked = 0;

  const v1 = async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = {
      Authorization: `Bearer ${office.parterre.demo.keys.secretTest}`,
      'Content-Type': 'application/json',
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${office.parterre.url}/v1${path}`, init)).json();
  };
  const mint = () =>
    v1('POST', `/events/${office.parterre.demo.eventKey}/manage-sessions`, { allowedOrigin: origin, capabilities });
  const printed = (language: string, words = ''): string =>
    blocks.find((each) => each.language === language && each.text.includes(words))!.text;

  beforeAll(async () => {
    platform = createServer(async ({ url = '/' }, response) => {
      const policy = /Content-Security-Policy: (.*)/.exec(printed('http'))![1]!;
      const send = (type: string, body: string) =>
        response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(body);
      if (url === '/session') {
        asked++;
        if (tokensLeft-- > 0) send('application/json', JSON.stringify({ token: (await mint()).token }));
        else response.writeHead(503).end();
      } else if (url === '/back-office.js') send('text/javascript', printed('js', 'parterre-event-manager'));
      else if (url === '/back-office.css') send('text/css', printed('css'));
      else send('text/html', printed('html'));
    });
    await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
    origin = `http://localhost:${(platform.address() as AddressInfo).port}`;
    const page = await readFile(join(root, 'docs/back-office.md'), 'utf8');
    blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
      language: language!,
      text: text!
        .replaceAll('wss://seats.example', office.parterre.url.replace('http', 'ws'))
        .replaceAll('https://seats.example', office.parterre.url)
        .replaceAll('demo-night', office.parterre.demo.eventKey),
    }));
  });
  afterAll(() => void platform?.close());

  const open = async (granted: string[], tokens = 2, looks = {}): Promise<Page> => {
    capabilities = granted;
    tokensLeft = tokens;
    asked = 0;
    const page = await office.newPage(looks);
    await page.goto(origin);
    return page;
  };

  test('the control room shows its figures without budgets, webhooks and, without the right, revenue', async () => {
    const page = await open(['event:view']);
    await page.getByRole('status').filter({ hasText: 'Live at' }).waitFor();
    await page.getByRole('heading', { name: 'Refusals' }).waitFor();
    await expect.poll(() => page.getByText('Value sold').count()).toBe(0);
    await expect.poll(() => page.getByRole('heading', { name: 'Budgets near their bound' }).count()).toBe(0);
    expect(await axeFaults(page, 'parterre-control-room')).toEqual([]);
    await page.close();
    const reporter = await open(['event:view', 'event:reports']);
    await reporter.getByText('Value sold').waitFor();
    await reporter.close();
  });

  test('the manager shows the part that its mode names, tells what the session lacks, and keeps the address', async () => {
    const page = await open(['event:view'], 4);
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    await page.evaluate(`document.querySelector('parterre-event-manager').setAttribute('mode', 'channels')`);
    const alerts = page.locator('parterre-event-manager').getByRole('alert');
    await alerts.first().waitFor();
    expect(await alerts.first().textContent()).toMatch(/event:channels:view|There is no part “channels”/);
    await page.evaluate(`document.querySelector('parterre-event-manager').setAttribute('mode', 'map')`);
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    expect(await axeFaults(page, 'parterre-event-manager')).toEqual([]);
    await page.close();
  });

  test('a session that ends is renewed by the page, or told, and goes on with the next token', async () => {
    const page = await open(['event:view'], 2);
    await page.getByRole('status').filter({ hasText: 'Live at' }).waitFor();
    const ended = page.evaluate(
      `new Promise((resolve) => document.addEventListener('parterre-session-ended', () => resolve(true), { once: true }))`,
    );
    const before = asked;
    const { sessions } = await v1('GET', `/events/${office.parterre.demo.eventKey}/manage-sessions`);
    for (const { id } of sessions) await v1('DELETE', `/events/${office.parterre.demo.eventKey}/manage-sessions/${id}`);
    expect(await ended).toBe(true);
    expect(asked).toBeGreaterThan(before);
    const wall = page.locator('parterre-control-room');
    await wall.getByRole('alert').filter({ hasText: 'The session has ended' }).waitFor();
    tokensLeft = 4;
    await wall.getByRole('button', { name: 'Try again' }).click();
    await wall.getByRole('status').filter({ hasText: 'Live at' }).waitFor();
    await wall.getByRole('alert').waitFor({ state: 'detached' });
    await page.close();
  });

  test('speaks the language of the page around it', async () => {
    const page = await open(['event:view'], 4);
    await page.evaluate(`document.querySelector('parterre-control-room').setAttribute('locale', 'de')`);
    await page.getByRole('heading', { name: 'Ablehnungen' }).waitFor();
    await page.close();
  });
});
