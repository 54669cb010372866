/**
 * Where the browser tests of one file get their servers, browser and events. The files of a worker share one Parterre,
 * as `npm start` runs it, and one Chromium. Pages that a file leaves open close after its last test.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { createApi } from '../../scripts/launch/api.ts';
import { findChromium, sharedChromium } from '../support/servers/chromium.ts';
import { type Parterre, sharedParterre } from '../support/servers/server.ts';

/** Software rendering beside other tests: milliseconds on a desktop may be seconds here. */
export const PATIENCE_MS = 40_000;

// biome-ignore lint/suspicious/noExplicitAny: tests read answers without types, as clients do.
export type Json = any;

/** As vitest's `describe`. `office.parterre` and `office.browser` exist once the first test or hook runs. */
export function describeInBrowser(
  name: string,
  options: { timeout: number },
  tests: (office: BoxOffice) => void,
): void {
  const found = findChromium();
  if ('missing' in found) {
    // In CI nobody reads the message, and a missing browser must not look like a pass.
    if (process.env.CI) throw new Error(found.missing);
    console.log(`The browser tests are skipped: ${found.missing}`);
  }
  // Chromium draws in software here. The last lines of a run name a test that needed its second try (plain-summary.ts).
  const retry = process.env.CI ? 1 : 0;
  describe.skipIf('missing' in found)(name, { ...options, retry }, () => {
    const office = new BoxOffice();
    beforeAll(async () => {
      if ('path' in found) await office.open(found.path);
    });
    afterAll(() => office.close());
    tests(office);
  });
}

export class BoxOffice {
  parterre!: Parterre;
  browser!: Browser;

  async open(chromium: string): Promise<void> {
    this.parterre = await sharedParterre();
    this.browser = await sharedChromium(chromium);
  }

  async close(): Promise<void> {
    for (const context of this.browser?.contexts() ?? []) await context.close();
    await this.parterre?.stop();
  }

  /** A patient page in a browser context of its own. Its map does not fly, so that a seat stays where it is. */
  newPage = async (looks: BrowserContextOptions = {}): Promise<Page> => {
    const page = await this.browser.newPage({ reducedMotion: 'reduce', ...looks });
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  };

  /** As `newPage`. The page looks after the state of its sale at once, where other pages wait for half a minute. */
  newHurriedPage = async (looks: BrowserContextOptions = {}): Promise<Page> => {
    const page = await this.newPage(looks);
    await page.addInitScript(hurry);
    return page;
  };

  /**
   * Takes the network of a hurried page away, with its sockets: Chromium leaves open sockets alone, and the page
   * notices a silent socket only after half a minute.
   */
  goOffline = async (page: Page): Promise<void> => {
    await page.context().setOffline(true);
    await page.evaluate('for (const socket of openedSockets) socket.close()');
  };

  /** The demo's page of an event. */
  addressOf = (event: string): string =>
    `${this.parterre.url}/demo#event=${event}&key=${this.parterre.demo.keys.publishableTest}`;

  /** The address of the demo that the launcher printed. */
  printedAddress = (): string => /http\S+\/demo#\S+/.exec(this.parterre.output())![0];

  /** Any answer to a call with the demo's secret key. */
  ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> =>
    createApi(this.parterre.url).ask(method, path, this.parterre.demo.keys.secretTest, body);

  /** The body of a successful answer. Throws the status and the body of any other answer. */
  call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300) throw createApi(this.parterre.url).failure(`${method} ${path}`, answer);
    return answer.body;
  };

  post = (path: string, body: unknown): Promise<Json> => this.call('POST', path, body);

  /** The key of a new event, with more fields of the event. Its chart is the demo's theatre unless another is named. */
  makeEvent = async ({ doc = demoTheatre(), ...fields }: EventOptions = {}): Promise<string> => {
    const { meta: chart } = await this.post('/v1/charts', { name: doc.name, doc });
    await this.post(`/v1/charts/${chart.id}/publish`, {});
    return (await this.post('/v1/events', { chartId: chart.id, ...fields })).meta.key;
  };

  /** Two evenings of the demo's chart, sold as a group, with the address of its page. */
  makeGroup = async (): Promise<{ key: string; evenings: string[]; address: string }> => {
    const { chartId, keys } = this.parterre.demo;
    const evenings: string[] = [];
    for (const [index, name] of ['Monday', 'Tuesday'].entries()) {
      const startsAt = 1_900_000_000_000 + index * 86_400_000;
      evenings.push((await this.post('/v1/events', { chartId, name, startsAt })).meta.key);
    }
    const { performanceGroup } = await this.post('/v1/performance-groups', { name: 'Spring run', eventKeys: evenings });
    const key: string = performanceGroup.key;
    await this.post(`/v1/performance-groups/${key}/activate`, { expectedRevision: 1 });
    return { key, evenings, address: `${this.parterre.url}/demo#group=${key}&key=${keys.publishableTest}` };
  };

  /** Sells every place of the demo's theatre. */
  sellAll = async (event: string): Promise<void> => {
    const labels = [...'ABCDEFGH'].flatMap((row) => Array.from({ length: 12 }, (_, seat) => `${row}-${seat + 1}`));
    const selections = [{ label: 'Table 1', quantity: 6 }, { label: 'Booth 1' }, { label: 'Standing', quantity: 20 }];
    await this.post(`/v1/events/${event}/book`, { labels, bookingRef: 'all-seats' });
    await this.post(`/v1/events/${event}/book`, { selections, bookingRef: 'all-others' });
  };
}

type EventOptions = { doc?: { name: string; [field: string]: unknown }; selectionRules?: object };

/**
 * Runs in the page: pauses of 15 to 45 seconds become a moment. Deadlines of calls are shorter, those of holds longer.
 */
function hurry(): void {
  const Socket = globalThis.WebSocket;
  const opened: WebSocket[] = [];
  globalThis.WebSocket = class extends Socket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args);
      opened.push(this);
    }
  };
  Object.assign(globalThis, { openedSockets: opened });
  const pause = globalThis.setTimeout;
  const hurried = (run: () => void, ms = 0): unknown => pause(run, ms >= 15_000 && ms <= 45_000 ? 300 : ms);
  globalThis.setTimeout = hurried as typeof setTimeout;
}

/** What goes wrong on a page from now on: errors of its scripts, and what its policy blocks. */
export function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|is not defined/.test(message.text())) {
      faults.push(message.text());
    }
  });
  return faults;
}
