/**
 * The shapes of seats. The shape tells the status: a full disc is free, a half-filled ring is in a basket, a cross is
 * sold, a bar is not for sale. The buyer's own seats are dark: a disc is chosen, a disc in a dashed ring is held, a
 * ticket is bought. A dotted ring is free in some performances of a group. A free wheelchair or companion place is a
 * square with its sign.
 */
export const glyphNames = [
  'free',
  'wheelchair',
  'companion',
  'special',
  'held',
  'booked',
  'closed',
  'partly',
  'chosen',
  'reserved',
  'bought',
] as const;
export type GlyphName = (typeof glyphNames)[number];

/** The colours of everything but a free seat's own colour. */
export type Inks = { own: string; onOwn: string; gone: string; faint: string };

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Glyphs are drawn within 0 to 64 in both directions. */
export const CELL = 64;
const lightInks: Inks = { own: '#14171f', onOwn: '#ffffff', gone: '#dfe2e8', faint: '#757b87' };
/** Signs are cut out of their shape, so this colour is never seen. */
const cut = '#000000';

/** `isNumbered`: the seat's number stands in the middle, where a small seat has a tick. */
export function drawGlyph(pen: Pen, name: GlyphName, tint = '#ffffff', inks = lightInks, isNumbered = false): void {
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
      cutOut(pen, () => disc(pen, 9, cut));
      break;
    case 'held':
      half(pen, inks);
      break;
    case 'booked':
      disc(pen, 26, inks.gone);
      stroke(pen, inks.faint, 7, [22, 22, 42, 42], [42, 22, 22, 42]);
      break;
    case 'closed':
      stroke(pen, inks.faint, 8, [22, 32, 42, 32]);
      break;
    case 'partly':
      disc(pen, 26, inks.onOwn);
      dashedRing(pen, inks.faint, 6, 24, 8);
      break;
    default:
      ours(pen, name, inks, isNumbered);
  }
}

function ours(pen: Pen, name: 'chosen' | 'reserved' | 'bought', inks: Inks, isNumbered: boolean): void {
  if (name === 'bought') ticket(pen, inks.own);
  else {
    disc(pen, 32, inks.onOwn);
    disc(pen, name === 'chosen' ? 29 : 22, inks.own);
  }
  if (name === 'reserved') dashedRing(pen, inks.own, 5, 28.5, 6);
  if (isNumbered) return;
  const [x, y] = [32, 33];
  const reach = name === 'reserved' ? 9 : 13;
  stroke(pen, inks.onOwn, name === 'reserved' ? 6 : 7, [x - reach, y, x - reach * 0.3, y + reach * 0.7, x + reach, y - reach * 0.8]);
}

function disc(pen: Pen, radius: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** A rounded square with a notch on either side. */
function ticket(pen: Pen, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(2, 6, 60, 52, 9);
  pen.fill();
  cutOut(pen, () => {
    for (const x of [2, 62]) {
      pen.beginPath();
      pen.arc(x, 32, 8, 0, 2 * Math.PI);
      pen.fill();
    }
  });
}

function half(pen: Pen, { onOwn, faint }: Inks): void {
  disc(pen, 26, onOwn);
  pen.fillStyle = faint;
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, 24, Math.PI / 2, -Math.PI / 2);
  pen.fill();
  pen.strokeStyle = faint;
  pen.lineWidth = 5;
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, 23.5, 0, 2 * Math.PI);
  pen.stroke();
}

function dashedRing(pen: Pen, colour: string, width: number, radius: number, dashes: number): void {
  const dash = (Math.PI * radius) / dashes;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.lineCap = 'butt';
  pen.setLineDash([dash, dash]);
  pen.beginPath();
  pen.arc(CELL / 2, CELL / 2, radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
  pen.lineCap = 'round';
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
    pen.fillStyle = cut;
    pen.beginPath();
    pen.arc(name === 'wheelchair' ? 27 : 32, 16, 5.5, 0, 2 * Math.PI);
    pen.fill();
    if (name === 'companion')
      return stroke(pen, cut, 6, [32, 27, 32, 40], [22, 30, 42, 30], [32, 40, 25, 52], [32, 40, 39, 52]);
    stroke(pen, cut, 5.5, [28, 25, 29, 37, 41, 37, 46, 49], [29, 30, 38, 30]);
    pen.strokeStyle = cut;
    pen.lineWidth = 5;
    pen.beginPath();
    pen.arc(28, 42, 11, -0.1, 3.9);
    pen.stroke();
  });
}
