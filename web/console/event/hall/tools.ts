/**
 * The tools that choose places with a drag: a box, and a loop that a hand draws. A tool draws its line over the map,
 * and looks for places once, at the end of the drag.
 *
 * States of a drag: pressed → drawn → ended with places, or cancelled by a second finger or by the browser.
 */
import type { Point } from '@parterre/shared/charts/plan';
import type { Drag } from '../../../src/draw/gestures.ts';
import { boundsOf } from '../../../src/rules/bounds.ts';
import type { Hall } from '../../../src/rules/hall.ts';
import { inBox, inLoop } from './choosing.ts';

export const hallTools = ['seat', 'row', 'section', 'box', 'loop'] as const;
export type HallTool = (typeof hallTools)[number];

/** Points of a loop are at least this far apart, and no more than this many: each is compared with each place. */
const STEP_PIXELS = 4;
const POINTS_MAX = 150;
/** A shorter drag is a click. */
const CLICK_PIXELS = 6;

const svg = 'http://www.w3.org/2000/svg';

export type Ground = {
  host: HTMLElement;
  hall: Hall;
  floor: number;
  toChart(at: Point): Point;
};

/** `chosen` hears of the places inside, `clicked` of a press without a drag. */
export function dragOf(
  tool: 'box' | 'loop',
  ground: Ground,
  start: Point,
  { chosen, clicked }: { chosen(labels: string[], event: PointerEvent): void; clicked(at: Point): void },
): Drag {
  const line = document.createElementNS(svg, 'svg');
  const shape = document.createElementNS(svg, 'polygon');
  line.setAttribute('class', 'hall-line');
  line.append(shape);
  ground.host.append(line);
  let points: Point[] = [start];

  function add(at: Point): void {
    if (tool === 'box') points = [start, { x: at.x, y: start.y }, at, { x: start.x, y: at.y }];
    else if (Math.hypot(at.x - points.at(-1)!.x, at.y - points.at(-1)!.y) >= STEP_PIXELS) points.push(at);
    if (points.length > POINTS_MAX) points = points.filter((_, index) => index % 2 === 0);
    shape.setAttribute('points', points.map(({ x, y }) => `${x},${y}`).join(' '));
  }

  return {
    move: (at) => add(at),
    end(at, event) {
      add(at);
      line.remove();
      const { left, right, top, bottom } = boundsOf(points);
      if (Math.max(right - left, bottom - top) < CLICK_PIXELS) {
        clicked(at);
        return;
      }
      const loop = points.map(ground.toChart);
      const { hall, floor } = ground;
      chosen(tool === 'box' ? inBox(hall, floor, boundsOf(loop)) : inLoop(hall, floor, loop), event);
    },
    cancel: () => line.remove(),
  };
}
