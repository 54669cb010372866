/** Draws a part of the hall on a canvas: the ground, the seats, the texts. Everything that is drawn is drawn here. */
import { type Captions, drawCaptions } from './captions.ts';
import { drawGround } from './ground.ts';
import { inChartUnits, type Plot } from './plot.ts';
import type { Scene } from './scene.ts';
import { drawSeats } from './seats.ts';

type Pen = CanvasRenderingContext2D;

/** Returns the number of seats drawn. Draws nothing outside `plot.rect`. */
export function drawPicture(pen: Pen, scene: Scene, plot: Plot, captions: Captions): number {
  const { units, left, top, rect } = plot;
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  const [x, y] = [Math.floor(rect.left * units - left), Math.floor(rect.top * units - top)];
  const [right, bottom] = [Math.ceil(rect.right * units - left), Math.ceil(rect.bottom * units - top)];
  pen.beginPath();
  pen.rect(x, y, right - x, bottom - y);
  pen.clip();
  pen.fillStyle = scene.theme.ground;
  pen.fillRect(x, y, right - x, bottom - y);
  inChartUnits(pen, plot);
  drawGround(pen, scene, plot);
  const seats = drawSeats(pen, scene, plot);
  drawCaptions(pen, scene, plot, captions);
  pen.restore();
  return seats;
}
