/** Text over the map, drawn in screen pixels on a canvas of its own, so it is sharp at every zoom. */
import type { Words } from '../messages/words.ts';
import { type Bounds, boundsOf, middleOf } from '../rules/bounds.ts';
import { type Camera, NUMBER_PIXELS_MIN, type Size, toScreen } from '../rules/camera.ts';
import type { Hall } from '../rules/hall.ts';
import { inkOn } from '../rules/palette.ts';

export type Captioned = {
  words: Words;
  hall: Hall;
  camera: Camera;
  size: Size;
  floor: number;
  /** Blocks on screen. */
  blocks: readonly number[];
  areNear: boolean;
  freeIn(block: number): number;
  freeInArea(areaId: string): number;
  /** The colour of a seat's number; null when the seat's glyph needs no number. */
  inkOf(spot: number): string | null;
  chosenIn(block: number): number;
  /** The fill colour of a block. */
  colourOf(block: number): number;
  focus: number | null;
  focusedBlock: number | null;
  accent: string;
  font: string;
};

type Pen = CanvasRenderingContext2D;

const INK = '#14171f';
/** More numbers on one screen are unreadable, and would slow the frame down. */
const NUMBERS_MAX = 1_500;

export function drawCaptions(pen: Pen, view: Captioned, pixelRatio: number): void {
  pen.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  pen.clearRect(0, 0, view.size.width, view.size.height);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  decorTexts(pen, view);
  areaTexts(pen, view);
  if (view.areNear) {
    seatNumbers(pen, view);
    rowNames(pen, view);
  }
  blockTexts(pen, view);
  focusRing(pen, view);
  focusFrame(pen, view);
}

function widthOf({ left, right }: Bounds, { scale }: Camera): number {
  return (right - left) * scale;
}

function decorTexts(pen: Pen, { hall, camera, floor, font }: Captioned): void {
  for (const { label, bounds, outline, floor: itsFloor } of hall.decor) {
    if (itsFloor !== floor || label === '') continue;
    const room = outline ? widthOf(bounds, camera) * 0.8 : Infinity;
    const pixels = Math.min(Math.max(room / (label.length * 0.9), 0), 18);
    if (pixels < 8) continue;
    pen.font = `600 ${pixels}px ${font}`;
    pen.fillStyle = outline ? '#ffffff' : INK;
    const { x, y } = toScreen(camera, middleOf(bounds));
    pen.fillText(label, x, y);
  }
}

function areaTexts(pen: Pen, view: Captioned): void {
  const { text } = view.words;
  for (const { id, label, centre, points, floor } of view.hall.areas) {
    if (floor !== view.floor) continue;
    const { left, top, right, bottom } = boundsOf(points);
    const room = (right - left) * view.camera.scale;
    const height = (bottom - top) * view.camera.scale;
    if (room < 60) continue;
    const at = toScreen(view.camera, centre);
    const free = view.freeInArea(id);
    twoLines(
      pen,
      at.x,
      at.y,
      label,
      free > 0 ? text('map.free', { count: free }) : text('map.soldOut'),
      view.font,
      INK,
      Math.min(room / 7, height / 2.6, 16),
    );
  }
}

/** From afar a block shows its name and its share of free seats. Near, its name stands above its seats. */
function blockTexts(pen: Pen, view: Captioned): void {
  const { text } = view.words;
  for (const index of view.blocks) {
    const { label, bounds, room: units, spots } = view.hall.blocks[index]!;
    const room = units * view.camera.scale;
    if (label === '' || room < 20) continue;
    if (view.areNear) {
      const top = toScreen(view.camera, { ...middleOf(bounds), y: bounds.top });
      if (top.y > 16) halo(pen, label, top.x, top.y + 2, `600 13px ${view.font}`);
      continue;
    }
    const at = toScreen(view.camera, middleOf(bounds));
    const [chosen, free] = [view.chosenIn(index), view.freeIn(index)];
    const ink = inkOn(view.colourOf(index));
    const pixels = Math.min(room / 3, 15, (room * 1.7) / label.length);
    if (room >= 62) {
      const told =
        chosen > 0
          ? text('map.yours', { count: chosen })
          : free > 0
            ? text('map.free', { count: free })
            : text('map.soldOut');
      twoLines(pen, at.x, at.y, label, told, view.font, ink, pixels);
      continue;
    }
    pen.font = `700 ${pixels}px ${view.font}`;
    pen.fillStyle = ink;
    pen.fillText(chosen > 0 ? `✓${label}` : label, at.x, at.y - pixels * 0.28);
    shareBar(
      pen,
      at.x,
      at.y + pixels * 0.5,
      room * 0.56,
      Math.max(room * 0.07, 2),
      free / Math.max(spots.length, 1),
      ink,
    );
  }
}

/** The share of free seats in a block that has no room for the text. */
function shareBar(pen: Pen, x: number, y: number, width: number, height: number, share: number, ink: string): void {
  pen.fillStyle = ink;
  pen.globalAlpha = 0.28;
  pen.fillRect(x - width / 2, y, width, height);
  pen.globalAlpha = 0.9;
  pen.fillRect(x - width / 2, y, width * share, height);
  pen.globalAlpha = 1;
}

function twoLines(
  pen: Pen,
  x: number,
  y: number,
  title: string,
  told: string,
  font: string,
  ink: string,
  pixels: number,
): void {
  const small = pixels * 0.78;
  pen.font = `700 ${pixels}px ${font}`;
  pen.fillStyle = ink;
  pen.fillText(title, x, y - pixels * 0.52);
  pen.font = `400 ${small}px ${font}`;
  pen.fillText(told, x, y + pixels * 0.58);
}

function halo(pen: Pen, text: string, x: number, y: number, font: string): void {
  pen.font = font;
  pen.lineWidth = 4;
  pen.strokeStyle = 'rgba(255,255,255,0.92)';
  pen.strokeText(text, x, y);
  pen.fillStyle = INK;
  pen.fillText(text, x, y);
}

function seatNumbers(pen: Pen, { hall, camera, size, blocks, inkOf, font }: Captioned): void {
  let left = NUMBERS_MAX;
  for (const index of blocks) {
    for (const spot of hall.blocks[index]!.spots) {
      const pixels = hall.size[spot]! * camera.scale;
      if (pixels < NUMBER_PIXELS_MIN) continue;
      const x = hall.x[spot]! * camera.scale + camera.x;
      const y = hall.y[spot]! * camera.scale + camera.y;
      if (x < -pixels || y < -pixels || x > size.width + pixels || y > size.height + pixels) continue;
      const ink = inkOf(spot);
      if (ink === null) continue;
      if (left-- === 0) return;
      const object = hall.objects[hall.objectOf[spot]!]!;
      const label = hall.labels[spot]!;
      const text = label.startsWith(`${object.label}-`) ? label.slice(object.label.length + 1) : label;
      pen.font = `600 ${Math.min(pixels * 0.46, (pixels * 1.15) / Math.max(text.length, 2), 17)}px ${font}`;
      pen.fillStyle = ink;
      pen.fillText(text, x, y + 0.5);
    }
  }
}

/** Draws each row's name beside its first seat, on the side away from the second seat. */
function rowNames(pen: Pen, { hall, camera, blocks, font }: Captioned): void {
  pen.fillStyle = '#5a6170';
  for (const index of blocks) {
    let lastObject = -1;
    const { spots } = hall.blocks[index]!;
    for (const [i, spot] of spots.entries()) {
      const object = hall.objectOf[spot]!;
      if (object === lastObject) continue;
      lastObject = object;
      const next = spots[i + 1];
      const { label, type } = hall.objects[object]!;
      const pixels = hall.size[spot]! * camera.scale;
      if (type !== 'row' || next === undefined || hall.objectOf[next] !== object || pixels < 11) continue;
      const at = toScreen(camera, { x: 2 * hall.x[spot]! - hall.x[next]!, y: 2 * hall.y[spot]! - hall.y[next]! });
      const name = label.split('-').at(-1)!;
      pen.font = `600 ${Math.min(pixels * 0.6, 14)}px ${font}`;
      pen.fillText(name, at.x, at.y + 0.5);
    }
  }
}

function focusRing(pen: Pen, { hall, camera, focus, accent }: Captioned): void {
  if (focus === null) return;
  const { x, y } = toScreen(camera, { x: hall.x[focus]!, y: hall.y[focus]! });
  const radius = Math.max((hall.size[focus]! / 2) * camera.scale + 3, 8);
  for (const [colour, width] of [
    ['#ffffff', 6],
    [accent, 3],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.stroke();
  }
}

function focusFrame(pen: Pen, { hall, camera, focusedBlock, accent }: Captioned): void {
  if (focusedBlock === null) return;
  const { outline, bounds } = hall.blocks[focusedBlock]!;
  const { left, top, right, bottom } = bounds;
  const corners = outline ?? [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  pen.strokeStyle = accent;
  pen.lineWidth = 3;
  pen.beginPath();
  for (const corner of corners) {
    const { x, y } = toScreen(camera, corner);
    pen.lineTo(x, y);
  }
  pen.closePath();
  pen.stroke();
}
