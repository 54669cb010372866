/** Frames over the large hall, for the picker and the designer: the way of the camera and the scripts that measure. */
import { quantile } from '../load/quantile.ts';

/** On a slow or busy machine the run has fewer frames. */
const travelMsMax = 15_000;

/**
 * CSS pixels a chart unit; a seat of the bowl is about 18 units wide. A step of 1 pans, any other zooms in and then out
 * again.
 */
export const travels = [
  { name: 'the whole hall, panned', scale: 0.06, step: 1 },
  { name: 'seats just made out, panned', scale: 0.28, step: 1 },
  { name: 'a few sections, panned', scale: 0.5, step: 1 },
  { name: 'seats with numbers, panned', scale: 1.4, step: 1 },
  { name: 'from the hall to seats and back', scale: 0.06, step: 1.08 },
];

/** Milliseconds of each frame. */
export type Travelled = { script: number[]; frame: number[]; seats: number };

/** Median, 95th percentile and worst. */
export function told(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => quantile(sorted, share).toFixed(1);
  return `${at(0.5)} (p95 ${at(0.95)}, worst ${at(1)})`;
}

/** A script for the page: moves the view of a map, frame by frame. `view` is the script's name of it. */
export function travelling(view: string, scale: number, step: number, count: number): string {
  return `(async () => {
    const view = ${view};
    const { width, height } = view.size;
    const middle = { x: width / 2, y: height / 2 };
    view.look({ scale: ${scale}, x: middle.x - 4100 * ${scale}, y: middle.y - 300 * ${scale} });
    const next = () => new Promise(requestAnimationFrame);
    await next();
    const [script, frame] = [[], []];
    let last = await next();
    const until = last + ${travelMsMax};
    for (let i = 0; i < ${count} && last < until; i++) {
      const isOut = i < ${count} / 2;
      if (${step} === 1) view.panBy(isOut ? 9 : -9, 3);
      else view.zoomAt(isOut ? ${step} : 1 / ${step}, middle);
      const now = await next();
      frame.push(now - last);
      script.push(view.drawn.ms);
      last = now;
    }
    return { script, frame, seats: view.drawn.spots };
  })()`;
}

/** A script for the page: frames of a canvas that is only cleared. */
export function clearing(count: number): string {
  return `(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [innerWidth, innerHeight];
    canvas.style = 'position: fixed; inset: 0';
    document.body.append(canvas);
    const gl = canvas.getContext('webgl2');
    const next = () => new Promise(requestAnimationFrame);
    const frames = [];
    let last = await next();
    const until = last + ${travelMsMax};
    for (let i = 0; i < ${count} && last < until; i++) {
      gl.clearColor(i % 2, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      const now = await next();
      frames.push(now - last);
      last = now;
    }
    return frames;
  })()`;
}
