/** A person at the designer's page of a chart of their own, and what the server stores of it. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { createApi } from '../../../scripts/launch/api.ts';
import type { Parterre } from '../../support/servers/server.ts';
import { axeFaults } from '../axe-faults.ts';
import { PATIENCE_MS } from '../picker.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers without types, as clients do.
type Json = any;

/** `grant`: fields of the designer session; `authority` is publish without it. */
export async function openDesigner(
  { parterre, browser }: { parterre: Parterre; browser: Browser },
  doc: object,
  { grant = {}, ...looks }: BrowserContextOptions & { grant?: object } = {},
) {
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await createApi(parterre.url).ask(method, path, parterre.demo.keys.secretTest, body)).body;
  const { meta } = await ask('POST', '/v1/charts', { name: 'Drawn by a test', doc });
  const { origin } = new URL(parterre.url);
  const asked = { workspaceId: meta.workspaceId, chartId: meta.id, allowedOrigin: origin, authority: 'publish' };
  const { session } = await ask('POST', '/v1/designer/sessions', { ...asked, ...grant });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...looks });
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  await page.goto(session.designerUrl);
  await page.locator('.map canvas').first().waitFor();
  const editor = <T>(read: string): Promise<T> => page.evaluate(`document.querySelector('#designer').editor.${read}`);
  return {
    page,
    faults,
    document: (): Promise<Json> => editor('document'),
    stored: (): Promise<Json> => ask('GET', `/v1/charts/${meta.id}`),
    /** Waits until this text was announced to screen readers. */
    hears: (words: RegExp) => page.locator('.say').filter({ hasText: words }).waitFor({ state: 'attached' }),
    /** Selects whole objects, as a click and Shift do. */
    select: (...ids: string[]) => editor(`select({ objects: new Set(${JSON.stringify(ids)}), seats: new Map() })`),
    selectSeats: (id: string, ...indexes: number[]) =>
      editor(
        `select({ objects: new Set(), seats: new Map([[${JSON.stringify(id)}, new Set(${JSON.stringify(indexes)})]]) })`,
      ),
    selected: (): Promise<string[]> =>
      page.evaluate(`[...document.querySelector('#designer').editor.selection.objects]`),
    violations: () => axeFaults(page),
  };
}
