/**
 * The shapes of seats. The shape tells the status: a full disc is free, a half-filled ring is in a basket, a cross is
 * sold, a bar is not for sale. The buyer's own seats are dark: a disc in a ring is chosen, a disc in a dashed ring is
 * held, a ticket is bought. A dotted ring is free in some performances of a group. A free wheelchair or companion place
 * is a square with its sign. A free place with a restricted view has an empty foot. A seat that breaks a rule, or that
 * the choice would leave alone, has an exclamation mark at its corner.
 *
 * A glyph is a list of strokes and fills within 0 to 64 in both directions. Many seats of one glyph are one path a
 * layer: a path of a thousand seats costs a fraction of a thousand pictures.
 */
export type GlyphName =
  | 'free'
  | 'wheelchair'
  | 'companion'
  | 'special'
  | 'restricted'
  | 'foot'
  | 'held'
  | 'booked'
  | 'closed'
  | 'partly'
  | 'marked'
  | 'chosen'
  | 'reserved'
  | 'bought';

/** `tint` is the seat's own colour, `own` the colour of the buyer's seats. */
export type Inks = { tint: string; onTint: string; own: string; onOwn: string; gone: string; faint: string };

type Layer = {
  colour: keyof Inks;
  /** Of the stroke; 0 fills. */
  width: number;
  /** The layer is left out where the seat's number stands. */
  isSign?: boolean;
  dash?: number;
  trace(pen: CanvasRenderingContext2D, x: number, y: number, unit: number): void;
};

const CELL = 64;
const MIDDLE = CELL / 2;

/** The angle at which the foot of a disc begins. */
const FOOT = 0.72;

/** Browsers leave out a path without any extent. */
const TINY = 0.05;

/** A line of almost no length with round ends, which is a disc at a third of the cost of an arc. */
const dot = (colour: keyof Inks, radius: number): Layer => ({
  colour,
  width: 2 * radius,
  trace(pen, x, y, unit) {
    pen.moveTo(x, y);
    pen.lineTo(x + TINY * unit, y + TINY * unit);
  },
});

const arc = (radius: number, from = 0, to = 2 * Math.PI): Layer['trace'] => {
  const dx = Math.cos(from) * radius;
  const dy = Math.sin(from) * radius;
  return (pen, x, y, unit) => {
    pen.moveTo(x + dx * unit, y + dy * unit);
    pen.arc(x, y, radius * unit, from, to);
  };
};

/** Each line is x, y, x, y, … */
const lines = (colour: keyof Inks, width: number, ...all: number[][]): Layer => ({
  colour,
  width,
  isSign: true,
  trace(pen, x, y, unit) {
    for (const line of all) {
      pen.moveTo(x + (line[0]! - MIDDLE) * unit, y + (line[1]! - MIDDLE) * unit);
      for (let i = 2; i < line.length; i += 2) {
        pen.lineTo(x + (line[i]! - MIDDLE) * unit, y + (line[i + 1]! - MIDDLE) * unit);
      }
    }
  },
});

const box = (colour: keyof Inks, width: number, height: number, radius: number): Layer => ({
  colour,
  width: 0,
  trace(pen, x, y, unit) {
    pen.roundRect(x - (width / 2) * unit, y - (height / 2) * unit, width * unit, height * unit, radius * unit);
  },
});

const ring = (colour: keyof Inks, width: number, radius: number, dash?: number): Layer => ({
  colour,
  width,
  ...(dash ? { dash: (Math.PI * radius) / dash } : {}),
  trace: arc(radius),
});

/** At both sides of a ticket. */
const notches = (colour: keyof Inks, radius: number): Layer => ({
  colour,
  width: 2 * radius,
  trace(pen, x, y, unit) {
    for (const side of [-31, 31]) {
      pen.moveTo(x + side * unit, y);
      pen.lineTo(x + (side + TINY) * unit, y + TINY * unit);
    }
  },
});

/** The lowest part of a disc, below the number. */
const foot: Layer = { colour: 'onOwn', width: 0, trace: arc(25, FOOT, Math.PI - FOOT) };

const square = box('tint', 56, 56, 12);
const tick = (reach: number): Layer => {
  const x = MIDDLE;
  const y = MIDDLE + 1;
  return lines('onOwn', 7, [x - reach, y, x - reach * 0.3, y + reach * 0.7, x + reach, y - reach * 0.8]);
};

const glyphs: Record<GlyphName, readonly Layer[]> = {
  free: [dot('tint', 29)],
  special: [dot('tint', 29), { ...dot('onTint', 9), isSign: true }],
  restricted: [dot('tint', 29), foot],
  foot: [foot],
  wheelchair: [
    square,
    lines('onTint', 11, [27, 16, 27.1, 16.1]),
    lines('onTint', 5.5, [28, 25, 29, 37, 41, 37, 46, 49], [29, 30, 38, 30]),
    {
      colour: 'onTint',
      width: 5,
      isSign: true,
      trace: (pen, x, y, unit) => arc(11, -0.1, 3.9)(pen, x - 4 * unit, y + 10 * unit, unit),
    },
  ],
  companion: [
    square,
    lines('onTint', 11, [32, 16, 32.1, 16.1]),
    lines('onTint', 6, [32, 27, 32, 40], [22, 30, 42, 30], [32, 40, 25, 52], [32, 40, 39, 52]),
  ],
  held: [
    dot('onOwn', 26),
    ring('faint', 5, 23.5),
    { colour: 'faint', width: 0, trace: arc(24, Math.PI / 2, (3 * Math.PI) / 2) },
  ],
  booked: [dot('gone', 26), lines('faint', 7, [22, 22, 42, 42], [42, 22, 22, 42])],
  closed: [lines('faint', 8, [22, 32, 42, 32])],
  partly: [dot('onOwn', 26), ring('faint', 6, 24, 8)],
  marked: [
    lines('own', 28, [53, 11, 53.1, 11.1]),
    lines('onOwn', 21, [53, 11, 53.1, 11.1]),
    lines('own', 4.5, [53, 5, 53, 11], [53, 16.5, 53.1, 16.6]),
  ],
  chosen: [dot('own', 32), dot('onOwn', 28.5), dot('own', 25), tick(12)],
  reserved: [dot('onOwn', 32), dot('own', 22), ring('own', 5, 28.5, 6), tick(9)],
  bought: [box('own', 62, 54, 9), notches('onOwn', 8), tick(13)],
};

/** Adds seats at these places, x and y in turn, each `size` wide. `isNumbered`: a number stands on each seat. */
export function drawGlyphs(
  pen: CanvasRenderingContext2D,
  name: GlyphName,
  places: readonly number[],
  size: number,
  inks: Inks,
  isNumbered: boolean,
): void {
  const unit = size / CELL;
  for (const { colour, width, isSign, dash, trace } of glyphs[name]) {
    if (isSign && isNumbered && isNumberable(name)) continue;
    pen.beginPath();
    for (let i = 0; i < places.length; i += 2) trace(pen, places[i]!, places[i + 1]!, unit);
    if (width === 0) {
      pen.fillStyle = inks[colour];
      pen.fill();
      continue;
    }
    pen.strokeStyle = inks[colour];
    pen.lineWidth = width * unit;
    pen.lineCap = dash ? 'butt' : 'round';
    if (dash) pen.setLineDash([dash * unit, dash * unit]);
    pen.stroke();
    if (dash) pen.setLineDash([]);
  }
}

/** True for the glyphs of places that are free. */
export function isFreeGlyph(name: GlyphName): boolean {
  return name === 'free' || name === 'special' || name === 'wheelchair' || name === 'companion';
}

/** True for glyphs that leave room for a number. */
export function isNumberable(name: GlyphName): boolean {
  return name === 'free' || name === 'chosen' || name === 'reserved' || name === 'bought';
}

/** A single glyph on a picture of 64 pixels, for a legend. */
export function drawGlyph(
  pen: CanvasRenderingContext2D,
  name: GlyphName,
  tint = '#ffffff',
  inks: Partial<Inks> = {},
): void {
  const usual = { onTint: '#ffffff', own: '#14171f', onOwn: '#ffffff', gone: '#dfe2e8', faint: '#757b87' };
  drawGlyphs(pen, name, [MIDDLE, MIDDLE], CELL, { ...usual, tint, ...inks }, false);
}
