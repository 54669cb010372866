/** Things of a hall that are drawn and not sold: stages, floors, pitches, bars, texts. Pure. */
import type { ChartObject } from '../document.ts';
import type { Point } from '../plan.ts';
import { polar, round } from './arcs.ts';

type Box = { x: number; y: number; width: number; height: number };
type Look = { label?: string; fill?: string; role?: string; kind?: 'rect' | 'ellipse' };

/** `x` and `y` are the middle. */
export function box(id: string, { x, y, width, height }: Box, look: Look = {}): ChartObject {
  const corner = { x: round(x - width / 2), y: round(y - height / 2) };
  return { type: 'shape', id, kind: 'rect', ...look, ...corner, width: round(width), height: round(height) };
}

export function polygon(id: string, points: Point[], look: Omit<Look, 'kind'> = {}): ChartObject {
  return { type: 'shape', id, kind: 'polygon', ...look, points };
}

/** `size` is the height in chart units. */
export function text(id: string, words: string, { x, y }: Point, size: number): ChartObject {
  return { type: 'text', id, text: words, center: { x: round(x), y: round(y) }, fontSize: size };
}

/** A stage above `centre` of the rows' circles, with a curved apron `radius` away from the centre. */
export function apronStage(centre: Point, radius: number, sweep: number, depth: number): ChartObject {
  const steps = 16;
  const apron = Array.from({ length: steps + 1 }, (_, step) =>
    polar(centre, radius, 90 + (step / steps - 0.5) * sweep),
  );
  const back = round(apron[0]!.y - depth);
  const corners = [
    { x: round(apron.at(-1)!.x * 0.8), y: back },
    { x: round(apron[0]!.x * 0.8), y: back },
  ];
  return polygon('stage', [...apron, ...corners], { label: 'Stage', role: 'stage' });
}
