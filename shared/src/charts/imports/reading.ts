/**
 * Reads fields of a file that follows no schema: each function gives a plain value or null, whatever stands there.
 * Texts are made fit for labels: well-formed Unicode without control characters.
 */
import colourNames from 'color-name';
import type { Point } from '../plan.ts';

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. Anything else in the list is passed over. */
export function objectsOf(value: unknown): Fields[] {
  return listOf(value).filter(
    (each): each is Fields => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
}

/** Finite numbers, and texts that spell one. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An integer from 0. A fraction is rounded. */
export function countFrom(value: unknown): number | null {
  const number = numberOf(value);
  return number === null || number < 0 || number > Number.MAX_SAFE_INTEGER ? null : Math.round(number);
}

/** Texts and numbers; null for the empty text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? cleanText(value) : null;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters of a file have no place in a label.
const CONTROL = /[\u0000-\u001F\u007F-\u009F\uFEFF]+/g;
const HALF_PAIR = /\p{Surrogate}/gu;

/** One line of well-formed Unicode in composed form; null if nothing is left. */
export function cleanText(text: string): string | null {
  const clean = text.replace(CONTROL, ' ').replace(HALF_PAIR, '\uFFFD').normalize('NFC').trim();
  return clean === '' ? null : clean;
}

/** Whether `textOf` changed the text: spaces at its ends, control characters, another form of its letters. */
export function isAltered(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && cleanText(value) !== value;
}

export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(1|true|yes|y|x|on)$/i.test(value.trim()));
}

export function pointFrom(value: unknown): Point | null {
  const { x, y } = fieldsOf(value);
  const at = { x: numberOf(x), y: numberOf(y) };
  return at.x === null || at.y === null ? null : { x: at.x, y: at.y };
}

/** The points of a list; those without numbers are passed over. */
export function pointsFrom(value: unknown): Point[] {
  return listOf(value).flatMap((each) => pointFrom(each) ?? []);
}

export function moved({ x, y }: Point, by: Point): Point {
  return { x: x + by.x, y: y + by.y };
}

const namedColours: Readonly<Record<string, readonly number[]>> = colourNames;

/** `#rrggbb`, `#rgb`, `rgb(…)` or a name of CSS; null for other colours. */
export function colourOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  if (/^#[0-9a-f]{3}$/.test(text)) return `#${[...text.slice(1)].map((digit) => digit + digit).join('')}`;
  const rgb = /^rgba?\(\s*(\d{1,3})[,\s]+(\d{1,3})[,\s]+(\d{1,3})/.exec(text);
  const parts = rgb ? rgb.slice(1, 4).map(Number) : Object.hasOwn(namedColours, text) ? namedColours[text]! : null;
  if (parts === null) return null;
  return `#${parts.map((part) => Math.min(255, part).toString(16).padStart(2, '0')).join('')}`;
}

/** An address that a page may load: https, http or a picture as data. */
export function pictureUrlOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!/^(https?:\/\/|data:image\/(png|jpe?g|gif|webp|svg\+xml);)/i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}

/** Turned inside out where there are no points. */
export function boxAround(points: readonly Point[]) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** The outline of an ellipse, or of a rectangle, turned clockwise about its centre. */
export function ellipseOutline(center: Point, radiusX: number, radiusY: number, rotation: number): Point[] {
  const CORNERS = 48;
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return turnedAbout(center, radiusX * Math.cos(angle), radiusY * Math.sin(angle), rotation);
  });
}

export function boxOutline(center: Point, width: number, height: number, rotation: number): Point[] {
  const x = width / 2;
  const y = height / 2;
  return [
    turnedAbout(center, -x, -y, rotation),
    turnedAbout(center, x, -y, rotation),
    turnedAbout(center, x, y, rotation),
    turnedAbout(center, -x, y, rotation),
  ];
}

/** A point at `x`, `y` from the centre, turned clockwise about it. */
export function turnedAbout(center: Point, x: number, y: number, rotation: number): Point {
  const cos = Math.cos((rotation * Math.PI) / 180);
  const sin = Math.sin((rotation * Math.PI) / 180);
  return { x: center.x + x * cos - y * sin, y: center.y + x * sin + y * cos };
}
