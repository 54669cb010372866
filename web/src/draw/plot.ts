/** A part of the chart on a canvas: device pixel = chart unit × `units` − offset. */
import type { Bounds } from '../rules/bounds.ts';

export type Plot = {
  floor: number;
  /** The part of the chart to draw. */
  rect: Bounds;
  /** Device pixels of a chart unit. */
  units: number;
  /** Of the canvas, in device pixels. */
  left: number;
  top: number;
  /** Device pixels of a CSS pixel. */
  ratio: number;
  /** Chart units of a CSS pixel. */
  pixel: number;
  /** Single seats are drawn, not only their sections. */
  isNear: boolean;
};

export function inChartUnits(pen: CanvasRenderingContext2D, { units, left, top }: Plot): void {
  pen.setTransform(units, 0, 0, units, -left, -top);
}

/** Text is drawn in device pixels: browsers round the letters of tiny fonts under a scale. */
export function writeAt(pen: CanvasRenderingContext2D, plot: Plot, text: string, x: number, y: number): void {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillText(text, x * plot.units - plot.left, y * plot.units - plot.top);
  inChartUnits(pen, plot);
}

export function grown({ left, top, right, bottom }: Bounds, by: number): Bounds {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}
