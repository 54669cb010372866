/** The pixels of the picker's map. */
import type { BrowserContextOptions, Page } from 'playwright-core';

/** The colours in which the picker is drawn, and how a browser asks for them. */
export const colourSchemes: [string, BrowserContextOptions][] = [
  ['in light colours', {}],
  ['in the dark', { colorScheme: 'dark' }],
  ['in forced colours', { forcedColors: 'active' }],
  ['with more contrast', { contrast: 'more' }],
];

type Colour = [red: number, green: number, blue: number];

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

/** By label. */
export type Contrast = Record<string, number>;

/**
 * The contrast of each seat's sign with the floor beside it: of the colour that at least a fortieth of the seat’s
 * square has. The floor is read at the corner of the square.
 */
export function contrasts(labels: string[]): string {
  return `(async () => {
    const element = document.querySelector('parterre-map');
    for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
    const pen = element.shadowRoot.querySelector('.canvas > canvas').getContext('2d');
    const [one, other] = ['E-4', 'E-5'].map((label) => element.map.placeOf(label));
    const side = Math.round(Math.hypot(one.x - other.x, one.y - other.y) * 0.8);
    const part = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const light = ([red, green, blue]) => 0.2126 * part(red / 255) + 0.7152 * part(green / 255) + 0.0722 * part(blue / 255);
    return Object.fromEntries(${JSON.stringify(labels)}.map((label) => {
      const { x, y } = element.map.placeOf(label);
      const { data } = pen.getImageData(Math.round(x - side / 2), Math.round(y - side / 2), side, side);
      const pixels = Array.from({ length: data.length / 4 }, (_, i) => light(data.slice(4 * i, 4 * i + 3)));
      const floor = pixels[0];
      const all = pixels.map((each) => (Math.max(each, floor) + 0.05) / (Math.min(each, floor) + 0.05));
      return [label, all.sort((a, b) => b - a)[Math.floor(all.length / 40)]];
    }));
  })()`;
}
