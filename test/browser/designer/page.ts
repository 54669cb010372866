/** A person at the designer's page of a chart of their own, and what the server stores of it. */
import type { BrowserContextOptions } from 'playwright-core';
import { axeFaults } from '../axe-faults.ts';
import { type BoxOffice, faultsOf, type Json } from '../box-office.ts';

/** `grant`: fields of the designer session; `authority` is publish without it. */
export async function openDesigner(
  { parterre, call, post, newPage }: BoxOffice,
  doc: object,
  { grant = {}, ...looks }: BrowserContextOptions & { grant?: object } = {},
) {
  const { meta } = await post('/v1/charts', { name: 'Drawn by a test', doc });
  const { origin } = new URL(parterre.url);
  const asked = { workspaceId: meta.workspaceId, chartId: meta.id, allowedOrigin: origin, authority: 'publish' };
  const { session } = await post('/v1/designer/sessions', { ...asked, ...grant });
  const page = await newPage({ viewport: { width: 1440, height: 900 }, ...looks });
  const faults = faultsOf(page);
  await page.goto(session.designerUrl);
  await page.locator('.map canvas').first().waitFor();
  const editor = <T>(read: string): Promise<T> => page.evaluate(`document.querySelector('#designer').editor.${read}`);
  return {
    page,
    faults,
    chartId: meta.id as string,
    document: (): Promise<Json> => editor('document'),
    stored: (): Promise<Json> => call('GET', `/v1/charts/${meta.id}`),
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
    /** The place of a point of the chart on the screen. */
    onScreen: (x: number, y: number): Promise<{ x: number; y: number }> =>
      page.evaluate(`(() => {
        const { left, top } = document.querySelector('.map').getBoundingClientRect();
        const at = document.querySelector('#designer').shell.bench.board.view.toScreen({ x: ${x}, y: ${y} });
        return { x: left + at.x, y: top + at.y };
      })()`),
    violations: () => axeFaults(page),
  };
}
