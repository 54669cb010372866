/** The pixels of the picker's map. */
import type { Page } from 'playwright-core';

export type Colour = [red: number, green: number, blue: number];

/** At points of the chart. */
export function coloursAt(page: Page, points: { x: number; y: number }[]): Promise<Colour[]> {
  return page.evaluate(`(() => {
    const element = document.querySelector('parterre-map');
    const pen = element.shadowRoot.querySelector('.canvas > canvas').getContext('2d');
    return ${JSON.stringify(points)}.map((point) => {
      const { x, y } = element.map.view.toScreen(point);
      return [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3);
    });
  })()`);
}
