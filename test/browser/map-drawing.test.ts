/**
 * The drawing of the map in a real browser: seats by their pixels, fingers and wheel, the theme, floors, the small map.
 */
import { expect, test } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import { pickerFaults } from './axe-faults.ts';
import { describeInBrowser, PATIENCE_MS } from './box-office.ts';
import { type Buyer, openPicker } from './picker.ts';

type Colour = [number, number, number];

describeInBrowser('the drawing of the map', { timeout: 180_000 }, (office) => {
  const { addressOf, makeEvent, post } = office;

  test('shows the buyer’s chosen, held and bought seats in different shapes, and dims the rest of a filter', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event));
    const free = await colourAt(buyer, 'D-5', 0, -0.35);
    await buyer.clickSeat('D-5');
    await expect.poll(() => colourAt(buyer, 'D-5', 0, -0.3), { timeout: PATIENCE_MS }).not.toEqual(free);
    const chosen = await ringOf(buyer, 'D-5');
    await buyer.evaluate('document.querySelector("parterre-map").map.hold()');
    await expect.poll(() => ringOf(buyer, 'D-5'), { timeout: PATIENCE_MS }).not.toEqual(chosen);
    const held = await ringOf(buyer, 'D-5');
    const { holdId } = await buyer.hold();
    await post(`/v1/events/${event}/book`, { holdId, bookingRef: 'order-1' });
    await expect.poll(() => ringOf(buyer, 'D-5'), { timeout: PATIENCE_MS }).not.toEqual(held);
    expect(await ringOf(buyer, 'D-5')).not.toEqual(chosen);
    const before = await colourAt(buyer, 'F-5', 0, -0.35);
    const floor = await colourAt(buyer, 'F-5', 0, -0.62);
    await buyer.button(/^Premium/).click();
    await expect.poll(() => colourAt(buyer, 'F-5', 0, -0.35), { timeout: PATIENCE_MS }).not.toEqual(before);
    const dimmed = await colourAt(buyer, 'F-5', 0, -0.35);
    expect(apart(dimmed, floor)).toBeLessThan(apart(before, floor) / 2);
    expect(await buyer.evaluate(accentAround('F-8'))).toBe(0);
    const { x, y } = await buyer.placeOf('F-8');
    await buyer.page.mouse.move(x, y, { steps: 3 });
    await expect.poll(() => buyer.evaluate(accentAround('F-8')), { timeout: PATIENCE_MS }).toBeGreaterThan(20);
    expect(buyer.faults).toEqual([]);
    await buyer.page.close();
  });

  test('leaves the holes of an area open, takes the page’s colours, and needs no WebGL', async () => {
    const standing = { points: square(0, 0, 400), holes: [square(100, 100, 200)], capacity: 50 };
    const area = { ...standing, type: 'gaArea', id: 'floor', label: 'Floor', categoryKey: 'standing' };
    const event = await makeEvent({ doc: { ...demoTheatre(), objects: [area] } });
    const page = await office.newPage({ viewport: { width: 1100, height: 760 } });
    await page.addInitScript(`{
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : real.call(this, kind, ...rest);
      };
    }`);
    await page.goto(addressOf(event));
    const pixel = (x: number, y: number) => page.evaluate<Colour>(pixelAt(x, y));
    await expect
      .poll(() => page.evaluate('document.querySelector("parterre-map")?.map?.view?.drawn.spots'), {
        timeout: PATIENCE_MS,
      })
      .toBe(0);
    await expect
      .poll(async () => apart(await pixel(50, 200), await pixel(200, 200)), { timeout: PATIENCE_MS })
      .toBeGreaterThan(20);
    expect(await pixel(200, 200)).toEqual(await pixel(-20, 200));
    await page.evaluate(
      `document.querySelector('parterre-map').style.setProperty('--parterre-ground', 'rgb(1, 2, 3)')`,
    );
    await expect.poll(() => pixel(200, 200), { timeout: PATIENCE_MS }).toEqual([1, 2, 3]);
    await page.close();
  });

  test('zooms to a small seat at the first tap of a finger and chooses it at the second, and shows the small map', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event), { width: 390, height: 844 }, true);
    await buyer.touch([await buyer.placeOf('E-9')]);
    expect(await buyer.chosen()).toEqual([]);
    await buyer.touch([await buyer.placeOf('E-9')]);
    expect(await buyer.chosen()).toEqual(['E-9']);
    await buyer.page.locator('.minimap').waitFor();
    const { x, y } = await buyer.placeOf('A-1');
    expect(x > 0 && y > 0).toBe(false);
    const box = (await buyer.page.locator('.minimap').boundingBox())!;
    await buyer.touch([{ x: box.x + box.width * 0.28, y: box.y + box.height * 0.4 }]);
    await expect.poll(async () => (await buyer.placeOf('A-1')).x, { timeout: PATIENCE_MS }).toBeGreaterThan(x);
    expect(await buyer.chosen()).toEqual(['E-9']);
    await buyer.page.close();
  });

  test('leaves the wheel and a finger to a page that scrolls, and takes the wheel with Ctrl', async () => {
    const event = await makeEvent();
    const buyer = await openPicker(office, addressOf(event));
    const { page } = buyer;
    const scale = () => buyer.evaluate<number>(`document.querySelector('parterre-map').map.view.camera.scale`);
    await page.evaluate(`document.documentElement.style.height = 'auto'; document.body.style.height = '3000px'`);
    await expect.poll(() => page.evaluate('document.scrollingElement.scrollHeight > innerHeight')).toBe(true);
    // The map of a page that scrolls has its new size one frame later.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const before = await scale();
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, 200);
    await expect.poll(() => page.evaluate<number>('scrollY'), { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    expect(await scale()).toBe(before);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await expect.poll(scale, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
    await page.close();
    const phone = await openPicker(office, addressOf(event), { width: 390, height: 844 }, true);
    await phone.evaluate(`document.documentElement.style.height = 'auto'; document.body.style.height = '3000px'`);
    await expect.poll(() => phone.evaluate('document.scrollingElement.scrollHeight > innerHeight')).toBe(true);
    const top = () => phone.evaluate<number>(`document.querySelector('parterre-map').map.view.camera.y`);
    await phone.placeOf('E-6');
    const still = await top();
    const step = 20;
    await phone.touch(Array.from({ length: 12 }, (_, index) => ({ x: 195, y: 330 - step * index })));
    await expect.poll(() => phone.evaluate<number>('scrollY'), { timeout: PATIENCE_MS }).toBeGreaterThan(5 * step);
    // The map may see the first step, before the page takes the finger.
    expect(Math.abs((await top()) - still)).toBeLessThanOrEqual(step);
    expect(await phone.chosen()).toEqual([]);
    await phone.page.close();
  });

  test('fits the floor that is shown, and keeps its text within the map at the right edge', async () => {
    const theatre = demoTheatre();
    const focalPoint = { x: 0, y: 0 };
    const upper = theatre.objects.filter(({ type }) => type === 'row');
    const floors = [
      { id: 'lower', name: 'Lower', focalPoint, objects: theatre.objects.filter(({ type }) => type !== 'row') },
      { id: 'upper', name: 'Upper', focalPoint, objects: upper },
    ];
    const event = await makeEvent({ doc: { ...theatre, floors, objects: floors[0]!.objects } });
    const buyer = await openPicker(office, addressOf(event), { width: 900, height: 600 });
    await buyer.evaluate(`document.querySelector('parterre-map').map.view.zoomBy(4)`);
    await buyer.button('Upper').click();
    const inside = `(() => {
      const { map } = document.querySelector('parterre-map');
      const { width, height } = map.view.size;
      return ['A-1', 'H-12'].map((label) => map.placeOf(label)).every(({ x, y }) => x > 0 && y > 0 && x < width && y < height);
    })()`;
    await expect.poll(() => buyer.evaluate(inside), { timeout: PATIENCE_MS }).toBe(true);
    // The name of the floor that is shown can be read.
    await buyer.page.getByRole('button', { name: 'Upper', pressed: true }).waitFor();
    expect(await pickerFaults(buyer.page)).toEqual([]);
    const to = `(() => {
      const { view, placeOf } = document.querySelector('parterre-map').map;
      view.panBy(view.size.width - 12 - document.querySelector('parterre-map').map.placeOf('D-12').x, 0);
    })()`;
    await buyer.evaluate(to);
    const at = await buyer.placeOf('D-12');
    await buyer.page.mouse.move(at.x - 30, at.y);
    await buyer.page.mouse.move(at.x, at.y, { steps: 3 });
    const tip = buyer.page.getByText('Row D, seat 12').last();
    await tip.waitFor();
    const map = (await buyer.page.getByRole('region', { name: 'Seat map' }).boundingBox())!;
    await expect
      .poll(
        async () => {
          const box = (await tip.boundingBox())!;
          return box.x + box.width <= map.x + map.width && box.x >= map.x;
        },
        { timeout: PATIENCE_MS },
      )
      .toBe(true);
    await buyer.page.close();
  });
});

const square = (x: number, y: number, side: number) => [
  { x, y },
  { x: x + side, y },
  { x: x + side, y: y + side },
  { x, y: y + side },
];

const apart = (one: Colour, other: Colour) => Math.hypot(...one.map((part, index) => part - other[index]!));

/** The pixels of the accent around a seat. */
const accentAround = (label: string): string => `(() => {
  const element = document.querySelector('parterre-map');
  const { x, y } = element.map.placeOf('${label}');
  const pen = element.shadowRoot.querySelector('.canvas > canvas').getContext('2d');
  const { data } = pen.getImageData(Math.round(x) - 25, Math.round(y) - 25, 50, 50);
  const { accent } = element.map.view.theme;
  const hex = (at) => '#' + [...data.slice(at, at + 3)].map((part) => part.toString(16).padStart(2, '0')).join('');
  return Array.from({ length: 2500 }, (_, index) => hex(4 * index)).filter((each) => each === accent).length;
})()`;

/** At a point of the chart. */
function pixelAt(x: number, y: number): string {
  return `(() => {
    const element = document.querySelector('parterre-map');
    const at = element.map.view.toScreen({ x: ${x}, y: ${y} });
    const pen = element.shadowRoot.querySelector('.canvas > canvas').getContext('2d');
    return [...pen.getImageData(Math.round(at.x), Math.round(at.y), 1, 1).data].slice(0, 3);
  })()`;
}

/** At a seat: across and down in sizes of the seat, from its middle. */
async function colourAt(buyer: Buyer, label: string, across: number, down: number): Promise<Colour> {
  return (await colours(buyer, label, [[across, down]]))[0]!;
}

/** Around the edge of a seat. */
function ringOf(buyer: Buyer, label: string): Promise<Colour[]> {
  const points = Array.from({ length: 24 }, (_, index): [number, number] => {
    const angle = (index * Math.PI) / 12;
    return [0.43 * Math.cos(angle), 0.43 * Math.sin(angle)];
  });
  return colours(buyer, label, points);
}

function colours(buyer: Buyer, label: string, points: [number, number][]): Promise<Colour[]> {
  return buyer.evaluate(`(() => {
    const element = document.querySelector('parterre-map');
    const { map } = element;
    const { x, y } = map.placeOf('${label}');
    const pen = element.shadowRoot.querySelector('.canvas > canvas').getContext('2d');
    const next = map.placeOf('${label.replace(/\d+$/, (number) => String(Number(number) + 1))}');
    const size = Math.hypot(next.x - x, next.y - y) * 0.7;
    return ${JSON.stringify(points)}.map(([across, down]) =>
      [...pen.getImageData(Math.round(x + across * size), Math.round(y + down * size), 1, 1).data].slice(0, 3));
  })()`);
}
