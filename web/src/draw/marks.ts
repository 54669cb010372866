/** Marks over the map: the ring of the pointer, the rings of the keyboard, a hint. Positions are CSS pixels. */
import type { Bounds } from '../rules/bounds.ts';
import { type Camera, type Size, toScreen } from '../rules/camera.ts';
import type { Scene } from './scene.ts';
import { isBody } from './seats.ts';

export type Marks = {
  /** The spot under the pointer. */
  hover: number | null;
  /** The spot or block with the focus of the keyboard. */
  focus: number | null;
  focusedBlock: number | null;
  hint: string | null;
};

/** The overlay and the reach of the designer's map. */
export type Board = {
  /** Draws over the map and its marks, in CSS pixels. */
  overlay(pen: CanvasRenderingContext2D, camera: Camera, size: Size): void;
  /** The part of the chart that the camera may visit. */
  reach(): Bounds;
};

export function drawMarks(pen: CanvasRenderingContext2D, scene: Scene, camera: Camera, size: Size, marks: Marks): void {
  if (marks.hover !== null && marks.hover !== marks.focus) ring(pen, scene, camera, marks.hover, 2.5);
  if (marks.focus !== null) ring(pen, scene, camera, marks.focus, 3.5);
  if (marks.focusedBlock !== null) frame(pen, scene, camera, marks.focusedBlock);
  if (marks.hint !== null) hint(pen, scene, size, marks.hint);
}

function ring(
  pen: CanvasRenderingContext2D,
  { hall, theme }: Scene,
  camera: Camera,
  spot: number,
  width: number,
): void {
  const { x, y } = toScreen(camera, { x: hall.x[spot]!, y: hall.y[spot]! });
  const reach = isBody(hall.objects[hall.objectOf[spot]!]!) ? 0.62 : 0.5;
  const radius = Math.max(hall.size[spot]! * reach * camera.scale + width, 8);
  for (const [colour, wide] of [
    [theme.surface, width + 3],
    [theme.accent, width],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = wide;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.stroke();
  }
}

function frame(pen: CanvasRenderingContext2D, { hall, theme }: Scene, camera: Camera, block: number): void {
  const { outline, bounds } = hall.blocks[block]!;
  const { left, top, right, bottom } = bounds;
  const corners = outline ?? [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  pen.beginPath();
  for (const corner of corners) {
    const { x, y } = toScreen(camera, corner);
    pen.lineTo(x, y);
  }
  pen.closePath();
  for (const [colour, width] of [
    [theme.surface, 6],
    [theme.accent, 3],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
}

function hint(pen: CanvasRenderingContext2D, { theme }: Scene, { width, height }: Size, text: string): void {
  pen.font = `600 15px ${theme.font}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const wide = Math.min(pen.measureText(text).width + 36, width - 16);
  pen.fillStyle = theme.text;
  pen.beginPath();
  pen.roundRect((width - wide) / 2, height / 2 - 22, wide, 44, 22);
  pen.fill();
  pen.fillStyle = theme.surface;
  pen.fillText(text, width / 2, height / 2, wide - 20);
}
