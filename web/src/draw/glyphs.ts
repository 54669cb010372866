/**
 * The shapes of seats, drawn once into one texture that all seats share. The shape tells the status: a full disc is
 * free, a half-filled ring is in a basket, a cross is sold, a bar is not for sale, a dark disc with a tick is chosen. A
 * dotted ring is free in some performances of a group. A free wheelchair or companion place is a square with its sign.
 */
import { Rectangle, Texture } from 'pixi.js';

const CELL = 64;
const names = ['free', 'wheelchair', 'companion', 'special', 'held', 'booked', 'closed', 'partly', 'chosen'] as const;
export type GlyphName = (typeof names)[number];
export type Glyphs = Record<GlyphName, Texture>;

type Pen = CanvasRenderingContext2D;

const dark = '#14171f';
const grey = '#8b919d';
const pale = '#dfe2e8';

export function makeGlyphs(): Glyphs {
  const canvas = document.createElement('canvas');
  canvas.width = CELL * names.length;
  canvas.height = CELL;
  const pen = canvas.getContext('2d')!;
  for (const [index, name] of names.entries()) {
    pen.save();
    pen.translate(index * CELL, 0);
    drawGlyph(pen, name);
    pen.restore();
  }
  const { source } = Texture.from(canvas);
  source.autoGenerateMipmaps = true;
  source.scaleMode = 'linear';
  const frame = (index: number) => new Rectangle(index * CELL, 0, CELL, CELL);
  return Object.fromEntries(names.map((name, index) => [name, new Texture({ source, frame: frame(index) })])) as Glyphs;
}

/** Within 0 to 64 in both directions. Free seats are white, so that a tint gives them their category's colour. */
export function drawGlyph(pen: Pen, name: GlyphName, tint = '#ffffff'): void {
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  switch (name) {
    case 'free':
      disc(pen, 29, tint);
      break;
    case 'wheelchair':
    case 'companion':
      sign(pen, name, tint);
      break;
    case 'special':
      disc(pen, 29, tint);
      cutOut(pen, () => disc(pen, 9, dark));
      break;
    case 'held':
      half(pen);
      break;
    case 'booked':
      disc(pen, 26, pale);
      stroke(pen, grey, 7, [22, 22, 42, 42], [42, 22, 22, 42]);
      break;
    case 'closed':
      stroke(pen, '#b4b9c3', 8, [22, 32, 42, 32]);
      break;
    case 'partly':
      disc(pen, 26, '#ffffff');
      dottedRing(pen);
      break;
    case 'chosen':
      disc(pen, 31, '#ffffff');
      disc(pen, 28, dark);
      stroke(pen, '#ffffff', 7, [19, 33, 28, 42, 45, 22]);
  }
}

function disc(pen: Pen, radius: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, radius, 0, 2 * Math.PI);
  pen.fill();
}

function half(pen: Pen): void {
  disc(pen, 26, '#ffffff');
  pen.fillStyle = grey;
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, 24, Math.PI / 2, -Math.PI / 2);
  pen.fill();
  pen.strokeStyle = grey;
  pen.lineWidth = 5;
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, 23.5, 0, 2 * Math.PI);
  pen.stroke();
}

function dottedRing(pen: Pen): void {
  pen.strokeStyle = grey;
  pen.lineWidth = 6;
  pen.lineCap = 'butt';
  pen.setLineDash([9.5, 9.5]);
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, 24, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}

/** Each line is x, y, x, y, … */
function stroke(pen: Pen, colour: string, width: number, ...lines: number[][]): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  for (const line of lines) {
    pen.beginPath();
    for (let i = 0; i < line.length; i += 2) pen.lineTo(line[i]!, line[i + 1]!);
    pen.stroke();
  }
}

function cutOut(pen: Pen, draw: () => void): void {
  pen.globalCompositeOperation = 'destination-out';
  draw();
  pen.globalCompositeOperation = 'source-over';
}

function sign(pen: Pen, name: 'wheelchair' | 'companion', tint: string): void {
  pen.fillStyle = tint;
  pen.beginPath();
  pen.roundRect(4, 4, 56, 56, 12);
  pen.fill();
  cutOut(pen, () => {
    pen.fillStyle = dark;
    pen.beginPath();
    pen.arc(name === 'wheelchair' ? 27 : 32, 16, 5.5, 0, 2 * Math.PI);
    pen.fill();
    if (name === 'companion')
      return stroke(pen, dark, 6, [32, 27, 32, 40], [22, 30, 42, 30], [32, 40, 25, 52], [32, 40, 39, 52]);
    stroke(pen, dark, 5.5, [28, 25, 29, 37, 41, 37, 46, 49], [29, 30, 38, 30]);
    pen.strokeStyle = dark;
    pen.lineWidth = 5;
    pen.beginPath();
    pen.arc(28, 42, 11, -0.1, 3.9);
    pen.stroke();
  });
}
