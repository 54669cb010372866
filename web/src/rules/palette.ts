/**
 * Colours of categories. The default is the chart's own colour, as far as it stands out from the ground; else its
 * lightness is moved until it does. A host may ask for the colours of Okabe and Ito instead, which are distinct for
 * every kind of colour vision. Two categories never get colours that look alike. The shape also tells the kind of a
 * place (draw/glyphs.ts). Colours are texts `#rrggbb`. Pure.
 *
 * Lightness, chroma and distance are those of OKLab (Björn Ottosson, 2020); contrast is that of WCAG 2.
 */
import { hexOf } from './names.ts';

export const okabeIto = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#e69f00',
  '#b8a800',
  '#5b5b66',
] as const;

export type Backdrop = {
  /** Colours on which seats are drawn. */
  grounds: readonly string[];
  /** The least contrast with each of them. */
  contrastMin: number;
};

type Lab = { l: number; a: number; b: number };

/** Two colours at a smaller distance look alike. */
const APART = 0.08;
const LIGHTNESS_STEP = 0.02;
/** The buyer's own seats are nearly black, so no category becomes as dark. */
const LIGHTNESS_MIN = 0.36;
const DARK_INK = '#14171f';
const LIGHT_INK = '#ffffff';

/** A colour for each category. `own`: the chart's colour where it has one. */
export function categoryColours(
  categories: readonly { color: string }[],
  own: boolean,
  { grounds, contrastMin }: Backdrop,
): string[] {
  const taken: Lab[] = [];
  let hues: Lab[] | null = null;
  return categories.map(({ color }, index) => {
    const wanted = (own ? hexOf(color) : null) ?? okabeIto[index % okabeIto.length]!;
    const first = legible(labOf(wanted), grounds, contrastMin);
    let found = first;
    if (!isApart(first, taken)) {
      const shades = shadesOf(first).map((shade) => legible(shade, grounds, contrastMin));
      hues ??= allHues().map((hue) => legible(hue, grounds, contrastMin));
      found = replacement(first, [...shades, ...hues], taken);
    }
    taken.push(found);
    return colourOf(found);
  });
}

/** `share` of one colour in another. */
export function mixed(from: string, to: string, share: number): string {
  const a = channelsOf(from);
  const b = channelsOf(to);
  return hex(a.map((part, index) => part + (b[index]! - part) * share));
}

/** Black or white, whichever is more legible on a colour. */
export function inkOn(colour: string): string {
  return contrastOf(colour, LIGHT_INK) > contrastOf(colour, DARK_INK) ? LIGHT_INK : DARK_INK;
}

/** From 1 to 21. */
export function contrastOf(a: string, b: string): number {
  return ratioOf(luminanceOf(a), luminanceOf(b));
}

function ratioOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** The colour itself, or with the nearest lightness that stands out from every ground. */
export function legibleOn(colour: string, grounds: readonly string[], contrastMin: number): string {
  return colourOf(legible(labOf(colour), grounds, contrastMin));
}

function legible(colour: Lab, grounds: readonly string[], contrastMin: number): Lab {
  const luminances = grounds.map(luminanceOf);
  const stands = (lab: Lab) => {
    const own = luminanceOf(colourOf(lab));
    return luminances.every((ground) => ratioOf(own, ground) >= contrastMin);
  };
  for (let by = 0; by <= 1; by += LIGHTNESS_STEP) {
    for (const l of [colour.l - by, colour.l + by]) {
      const moved = { ...colour, l };
      if (l >= 0 && l <= 1 && stands(moved)) return moved;
    }
  }
  return colour;
}

const distanceOf = (one: Lab, other: Lab) => Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b);

const isApart = (colour: Lab, taken: readonly Lab[]) => taken.every((other) => distanceOf(colour, other) >= APART);

const shadesOf = (colour: Lab): Lab[] =>
  [-0.3, -0.2, -0.12, 0.12, 0.2, 0.3].map((by) => ({ ...colour, l: colour.l + by }));

const allHues = (): Lab[] =>
  [0.4, 0.55, 0.7, 0.82].flatMap((l) =>
    Array.from({ length: 24 }, (_, step) => {
      const angle = (step * Math.PI) / 12;
      return { l, a: 0.13 * Math.cos(angle), b: 0.13 * Math.sin(angle) };
    }),
  );

/** The colour most like the wanted one that is apart from all others; without any, the colour with the most room. */
function replacement(wanted: Lab, candidates: readonly Lab[], taken: readonly Lab[]): Lab {
  const room = (lab: Lab) => Math.min(...taken.map((other) => distanceOf(lab, other)));
  const free = candidates.filter((lab) => lab.l >= LIGHTNESS_MIN && isApart(lab, taken));
  if (free.length === 0) return candidates.reduce((one, other) => (room(other) > room(one) ? other : one));
  return free.reduce((one, other) => (distanceOf(other, wanted) < distanceOf(one, wanted) ? other : one));
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map(linear);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function gamma(part: number): number {
  const clamped = Math.min(Math.max(part, 0), 1);
  return 255 * (clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055);
}

function labOf(colour: string): Lab {
  const [red, green, blue] = channelsOf(colour).map(linear) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  };
}

function colourOf({ l, a, b }: Lab): string {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return hex([
    gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]);
}

function channelsOf(colour: string): number[] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;
}
