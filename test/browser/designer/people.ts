/** People who draw one chart, each at a page and in a browser context of their own, and what the server stores. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { type BoxOffice, faultsOf, type Json, PATIENCE_MS } from '../box-office.ts';

const booth = (id: string, label: string, x: number) => ({
  type: 'booth',
  id,
  label,
  center: { x, y: 0 },
  width: 40,
  height: 40,
  rotation: 0,
  categoryKey: 'stalls',
});
/** Three booths: One, Two and Three. */
export const studio = {
  version: 1,
  name: 'Studio',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#336699', price: 20 },
    { key: 'front', label: 'Front', color: '#8c2f39', price: 45 },
  ],
  objects: [booth('b1', 'One', 0), booth('b2', 'Two', 60), booth('b3', 'Three', 120)],
};

export type Chart = { id: string; workspaceId: string };
export type Person = ReturnType<typeof deskOf> & { faults: string[]; context: BrowserContext };

export class People {
  readonly #office: BoxOffice;
  readonly #contexts: BrowserContext[] = [];

  constructor(office: BoxOffice) {
    this.#office = office;
  }

  newChart = async (doc: object | null = studio, more: object = {}): Promise<Chart> =>
    (await this.#office.post('/v1/charts', { name: 'Studio', ...(doc && { doc }), ...more })).meta;

  /** `grant`: fields of the session; `authority` is publish without it. The page around is the server's own. */
  session = async ({ id, workspaceId }: Chart, grant: object = {}): Promise<Json> => {
    const allowedOrigin = new URL(this.#office.parterre.url).origin;
    const asked = { workspaceId, chartId: id, allowedOrigin, authority: 'publish', ...grant };
    return (await this.#office.post('/v1/designer/sessions', asked)).session;
  };

  /** A person at an address. In a `known` context the page is another tab of this browser. */
  at = async (address: string, looks: BrowserContextOptions = {}, known?: BrowserContext): Promise<Person> => {
    const size = { width: 1440, height: 900 };
    const context =
      known ?? (await this.#office.browser.newContext({ viewport: size, reducedMotion: 'reduce', ...looks }));
    if (!known) this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const faults = faultsOf(page);
    await page.goto(address);
    return { ...deskOf(page), faults, context };
  };

  /** A person in a fresh session of a chart, once the chart is open. */
  drawing = async (chart: Chart, grant: object = {}, looks: BrowserContextOptions = {}): Promise<Person> => {
    const person = await this.at((await this.session(chart, grant)).designerUrl, looks);
    await person.page.locator('.map canvas').first().waitFor();
    return person;
  };

  stored = (chart: Chart): Promise<Json> => this.#office.call('GET', `/v1/charts/${chart.id}`);

  /** Waits until the server has these labels. */
  savedAs = async (chart: Chart, labels: string[]): Promise<void> => {
    const stored = async () => (await this.stored(chart)).doc.objects.map(({ label }: Json) => label);
    await expect.poll(stored, { timeout: PATIENCE_MS }).toEqual(labels);
  };

  close = async (): Promise<void> => {
    for (const context of this.#contexts.splice(0)) await context.close();
  };
}

function deskOf(page: Page) {
  return {
    page,
    /** Waits for a state of saving. */
    state: (text: string | RegExp) => page.locator('.saving-state').getByText(text, { exact: true }).waitFor(),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }),
    /** Gives fields to an object, as an edit of the page; null deletes it. Returns the refusal's key. */
    change: (id: string, fields: object | null) => page.evaluate(changed, { id, fields }),
    document: (): Promise<Json> => page.evaluate(`document.querySelector('#designer').editor.document`),
    /** Looks for changes of other people now. */
    look: () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`),
    hears: (words: RegExp) => page.locator('.say').filter({ hasText: words }).waitFor({ state: 'attached' }),
    violations: () => axeFaults(page),
  };
}

/** Runs in the page, of whose types tests know nothing. */
export function changed({ id, fields }: { id: string; fields: object | null }): string | null {
  const { editor } = (globalThis as Json).document.querySelector('#designer');
  const edit = (document: Json) => ({
    ...document,
    objects: document.objects.flatMap((object: Json) =>
      object.id !== id ? [object] : fields === null ? [] : [{ ...object, ...fields }],
    ),
  });
  return editor.apply(edit, 'draw.step.move')?.key ?? null;
}
