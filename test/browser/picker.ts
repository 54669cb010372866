/**
 * A buyer at the picker: one page of a browser, with everything that mouse, keyboard and screen reader can do and see.
 */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type BoxOffice, faultsOf, PATIENCE_MS } from './box-office.ts';

export type Buyer = Awaited<ReturnType<typeof openPicker>>;

type Size = { width: number; height: number };
type Point = { x: number; y: number };

/** `office` opens the page: in a browser context of its own, with its own sessionStorage. */
export async function openPicker(
  office: Pick<BoxOffice, 'newPage'>,
  address: string,
  viewport: Size = { width: 1100, height: 760 },
  hasTouch = false,
) {
  const page = await office.newPage({ viewport, hasTouch });
  const faults = faultsOf(page);
  await page.goto(address);
  /** The announced texts up to this one were heard. */
  let heard = 0;
  const begin = async (): Promise<void> => {
    await live(page);
    heard = 0;
    await listen(page);
  };
  await begin();
  const seat = (label: string): Locator => page.locator(`[data-spot="${label}"]`);
  return {
    page,
    faults,
    seat,
    timer: page.getByRole('timer'),
    notice: page.locator('.notice'),
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    /** Waits until this text was announced to screen readers, behind the text that was heard last. */
    async hears(words: RegExp): Promise<void> {
      const before = heard;
      const at = async () => {
        const texts: string[] = await page.evaluate('window.announced');
        heard = texts.findIndex((text, index) => index >= before && words.test(text)) + 1;
        return heard;
      };
      await expect.poll(at, { timeout: PATIENCE_MS, message: `hears ${words}` }).toBeGreaterThan(0);
    },
    reload: async () => {
      await page.reload();
      await begin();
    },
    /** Waits for the map to be live, after it was opened in another way. */
    live: begin,
    placeOf: (label: string): Promise<Point> => page.evaluate(seatOnScreen, label),
    /** Clicks a seat on the map once its position is stable: texts beside the map may move it. */
    async clickSeat(label: string): Promise<void> {
      let at = await page.evaluate(seatOnScreen, label);
      for (let before: Point | null = null; before?.x !== at.x || before?.y !== at.y; ) {
        before = at;
        at = await page.evaluate(seatOnScreen, label);
      }
      await page.mouse.click(at.x, at.y);
    },
    /** Fingers that go down together, move in steps, and are lifted; each a list of points. */
    async touch(...fingers: Point[][]): Promise<void> {
      const touches = await page.context().newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step?: number) =>
        touches.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: step === undefined ? [] : fingers.map((points, id) => ({ ...points[step]!, id })),
        });
      await send('touchStart', 0);
      for (let step = 1; step < fingers[0]!.length; step++) await send('touchMove', step);
      await send('touchEnd');
      await touches.detach();
    },
    /** Enters the section of this name, so that its seats can be read. */
    async enter(section: RegExp): Promise<void> {
      const entry = page.locator('[data-entry]').filter({ hasText: section });
      await entry.dispatchEvent('click');
      await page.getByRole('grid').waitFor({ state: 'attached' });
    },
    async sees(label: string, words: RegExp, withinMs = PATIENCE_MS): Promise<void> {
      await expect.poll(() => seat(label).getAttribute('aria-label'), { timeout: withinMs }).toMatch(words);
    },
    evaluate: <T>(script: string): Promise<T> => page.evaluate(script) as Promise<T>,
    /** The labels of the chosen places. */
    chosen: (): Promise<string[]> => page.evaluate(`${map}.state().selection.map(({ label }) => label)`),
    hold: (): Promise<{ holdId: string; operationId: string; labels: string[] }> =>
      page.evaluate(`${map}.state().hold`),
    focused: () => focusedIn(page),
  };
}

/** A call of buyers by its last words, and a public file by its kind. Any other path stays as it is. */
export function namedCall(path: string): string {
  if (path.startsWith('/pub/charts/')) return 'chart file';
  if (path.startsWith('/pub/statuses/')) return 'statuses';
  return path.replace(/^\/pub\/events\/[^/]+\//, '');
}

/** Waits until the picker of a page follows its sale. */
export async function live(page: Page): Promise<void> {
  // Waiting within the page would need eval, which its policy forbids.
  const connection = () => page.evaluate(`document.querySelector('parterre-map')?.map?.state().connection`);
  await expect.poll(connection, { timeout: PATIENCE_MS }).toBe('live');
  await page.getByRole('region', { name: 'Seat map' }).locator('canvas').first().waitFor();
}

/** Keeps each text that the picker announces: another may take its place before a locator sees it. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(`(() => {
    const said = document.querySelector('parterre-map').shadowRoot.querySelector('.say');
    window.announced = [said.textContent];
    new MutationObserver(() => window.announced.push(said.textContent)).observe(said, { childList: true });
  })()`);

/** The focused element of the picker. A screen reader says its name, which is empty when nothing has the focus. */
export const focusedIn = (page: Page): Promise<{ role: string | null; name: string }> =>
  page.evaluate(`(() => {
    const active = document.querySelector('parterre-map').shadowRoot.activeElement;
    const name = active?.getAttribute('aria-label') ?? active?.textContent ?? '';
    return { role: active?.getAttribute('role') ?? null, name: name.trim() };
  })()`);

const map = `document.querySelector('parterre-map').map`;

// biome-ignore lint/suspicious/noExplicitAny: runs in the page, of whose types tests know nothing.
const seatOnScreen = async (label: string): Promise<any> => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const window = globalThis as any;
  for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => window.requestAnimationFrame(drawn));
  const element = window.document.querySelector('parterre-map');
  const { left, top } = element.shadowRoot.querySelector('.canvas').getBoundingClientRect();
  const { x, y } = element.map.placeOf(label);
  return { x: left + x, y: top + y };
};
