/**
 * The chart document (wire contract 3.1): what a designer saves and publishes. Coordinates are abstract units, y grows
 * downward, degrees turn clockwise. The schemas judge structure alone, so that a draft may be unfinished; what a
 * document means is judged at publishing (publish-issues.ts). Fields the contract does not name are kept as they are.
 */
import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { accessibilityKinds } from './plan.ts';

export type { AccessibilityKind } from './plan.ts';

/** JSON can spell an infinite number (1e999); that is a question of meaning, so a draft may hold one. */
const number = z.custom<number>((value) => typeof value === 'number', 'Must be a number.').meta({ type: 'number' });
const count = z.int().min(0);
const text = z.string();
/** Ids and labels travel in URLs and as UTF-8, where half a surrogate pair cannot be written. */
const label = z.string().regex(/^\P{Surrogate}+$/u, 'Must be a text of at least one character, well-formed Unicode.');
/** Ids are also names in JSON objects, where this one means something else to many parsers. */
const id = label.refine((text) => text !== '__proto__', 'Cannot be __proto__.');
const point = z.looseObject({ x: number, y: number });
const outline = z.array(point);

const tier = z.looseObject({
  id,
  name: text,
  price: number,
  applicability: z
    .looseObject({
      seatLabels: z.array(text).optional(),
      accessibility: z.array(z.enum(accessibilityKinds)).optional(),
    })
    .optional(),
  restriction: z.enum(['companion']).optional(),
});

const category = z.looseObject({
  key: id,
  label: text,
  color: text,
  price: number.optional(),
  tiers: z.array(tier).optional(),
  notForSale: z.boolean().optional(),
});

const zone = z.looseObject({ id, label: text, color: text.optional(), focalPoint: point.optional() });

const override = z.looseObject({
  index: count,
  skip: z.boolean().optional(),
  dx: number.optional(),
  dy: number.optional(),
  label: label.optional(),
  displayLabel: text.optional(),
  categoryKey: text.optional(),
  accessibility: z.array(z.enum(accessibilityKinds)).optional(),
  accessible: z.boolean().optional(),
});

const numbering = z.looseObject({
  direction: z.enum(['ltr', 'rtl', 'center']),
  step: z.union([z.literal(1), z.literal(2)], { error: 'Must be 1 or 2.' }).optional(),
  scheme: z
    .enum(['decimal', 'odd', 'even', 'roman', 'letters-upper', 'letters-lower', 'updown', 'updown-descending'])
    .optional(),
  prefix: text.optional(),
  endAt: number.optional(),
});

const row = z.looseObject({
  type: z.literal('row'),
  id,
  label,
  displayLabel: text.optional(),
  /** Where the first seat stands. */
  origin: point,
  rotation: number.optional(),
  /** Total sweep in degrees; 0 or absent is straight. */
  curve: number.optional(),
  /** One cubic Bézier curve in chart coordinates, in place of origin, rotation and curve. */
  path: z.looseObject({ start: point, control1: point, control2: point, end: point }).optional(),
  seatCount: count,
  seatSpacing: number,
  categoryKey: text,
  seatLabelStart: number.optional(),
  seatNumbering: numbering.optional(),
  overrides: z.array(override).optional(),
});

const table = z.looseObject({
  type: z.literal('table'),
  id,
  label,
  center: point,
  shape: z.enum(['round', 'rect']),
  seatCount: count,
  rotation: number.optional(),
  radius: number.optional(),
  seatArc: number.optional(),
  width: number.optional(),
  height: number.optional(),
  sides: z.array(z.enum(['top', 'bottom', 'left', 'right'])).optional(),
  seatCountsBySide: z
    .looseObject({ top: count.optional(), bottom: count.optional(), left: count.optional(), right: count.optional() })
    .optional(),
  categoryKey: text,
  overrides: z.array(override).optional(),
  bookAsWhole: z.boolean().optional(),
  variableOccupancy: z.boolean().optional(),
  minOccupancy: count.optional(),
  maxOccupancy: count.optional(),
});

const booth = z.looseObject({
  type: z.literal('booth'),
  id,
  label,
  center: point,
  width: number,
  height: number,
  rotation: number.optional(),
  categoryKey: text,
});

const gaArea = z.looseObject({
  type: z.literal('gaArea'),
  id,
  label,
  points: outline,
  holes: z.array(outline).optional(),
  capacity: count,
  categoryKey: text,
  /** Where the places come from when areas were merged or split; `startIndex` counts from 0. */
  inventorySegments: z.array(z.looseObject({ sourceAreaId: id, startIndex: count, count })).optional(),
});

const section = z.looseObject({
  type: z.literal('section'),
  id,
  label: text,
  displayLabel: text.optional(),
  logicalSectionId: id.optional(),
  outline,
  holes: z.array(outline).optional(),
  zone: text.optional(),
});

const decor = z.looseObject({ type: z.enum(['shape', 'text', 'decorImage']) });

const chartObject = z.discriminatedUnion('type', [row, table, booth, gaArea, section, decor]);
const floor = z.looseObject({ id, name: text, objects: z.array(chartObject), focalPoint: point });

export const chartDocument = z.looseObject({
  version: z.literal(1),
  name: text,
  venueType: z.enum(['SIMPLE', 'MIXED']),
  focalPoint: point,
  categories: z.array(category),
  zones: z.array(zone).optional(),
  /** With floors, the floors' objects are the venue and `objects` mirrors the first floor. */
  floors: z.array(floor).optional(),
  objects: z.array(chartObject),
});

export type ChartDocument = z.infer<typeof chartDocument>;
export type Category = z.infer<typeof category>;
export type Zone = z.infer<typeof zone>;
export type Floor = z.infer<typeof floor>;
export type Override = z.infer<typeof override>;
export type SeatNumbering = z.infer<typeof numbering>;
export type Row = z.infer<typeof row>;
export type Table = z.infer<typeof table>;
export type Booth = z.infer<typeof booth>;
export type GaArea = z.infer<typeof gaArea>;
export type Section = z.infer<typeof section>;
export type ChartObject = z.infer<typeof chartObject>;

/** Issues told at once; a document with more is not worth more words. */
export const issuesMax = 1_000;

/**
 * What keeps `value` from being a chart document at all, at most `issuesMax` issues; none when it has the structure of
 * one. Paths as in `pathOf`.
 */
export function checkStructure(value: unknown): Issue[] {
  const parsed = chartDocument.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, issuesMax).map(({ path, message }) => ({ message, ...placeOf(value, path) }));
}

/**
 * A place in a document. Its path is field names joined by dots, list elements by their id or key where they have one,
 * else by their index: `objects.row-a.overrides.0.dx`. So an issue names the object even when the list is long.
 */
function placeOf(document: unknown, segments: readonly PropertyKey[]): Pick<Issue, 'path' | 'objectId'> {
  const names: string[] = [];
  let objectId: string | null = null;
  let value = document;
  for (const [depth, segment] of segments.entries()) {
    const isElement = Array.isArray(value);
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[segment];
    const name = isElement ? nameOf(value) : null;
    if (segments[depth - 1] === 'objects') objectId ??= name;
    names.push(name || String(segment));
  }
  const path = names.join('.');
  return objectId === null ? { path } : { path, objectId };
}

/** The id or key of a list's element, else null. */
export function nameOf(element: unknown): string | null {
  const { id, key } = (element ?? {}) as { id?: unknown; key?: unknown };
  if (typeof id === 'string') return id;
  return typeof key === 'string' ? key : null;
}
