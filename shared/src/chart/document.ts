/**
 * The chart document (wire contract 3.1): what a designer saves and publishes. Coordinates are abstract units, y grows
 * downward, degrees turn clockwise. The schemas judge structure alone, so that a draft may be unfinished; what a
 * document means is judged at publishing (publish-issues.ts). Fields the contract does not name are kept as they are. What
 * `describe` says is read in the OpenAPI description.
 */
import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { idLengthMax, unitLabelLengthMax } from '../limits.ts';
import { accessibilityKinds } from './accessibility.ts';

/** JSON can spell an infinite number (1e999); that is a question of meaning, so a draft may hold one. */
const number = z.custom<number>((value) => typeof value === 'number', 'Must be a number.').meta({ type: 'number' });
const count = z.int().min(0);
const text = z.string();
/** Ids and labels travel in URLs and as UTF-8, where half a surrogate pair cannot be written. */
const label = z.string().regex(/^\P{Surrogate}+$/u, 'Must be a text of at least one character, well-formed Unicode.');
/** Ids are also names in JSON objects, where this one means something else to many parsers. */
const id = label.refine((text) => text !== '__proto__', 'Cannot be __proto__.');
const point = z.looseObject({ x: number, y: number });
const outline = z.array(point).describe('The corners of a polygon in order, three at least.');
const holes = z.array(outline).optional().describe('Parts of it that are left out.');
const kinds = z.array(z.enum(accessibilityKinds));
const rotation = number.optional().describe('Degrees clockwise.');
const categoryKey = text.describe('The key of a category of the chart.');

const tier = z.looseObject({
  id: id.describe(`What a call names it by, as \`tierId\`; at most ${idLengthMax} characters.`),
  name: text,
  price: number.describe("An integer, in major units of the event's currency."),
  applicability: z
    .looseObject({
      seatLabels: z
        .array(text)
        .optional()
        .describe("Units by their labels; an area's own label stands for its places."),
      accessibility: kinds.optional().describe('Units with one of these kinds.'),
    })
    .optional()
    .describe(
      'Which units of the category it is for, all of them where it is absent: those of both lists where both are there; an empty list ' +
        'restricts nothing. For others it is refused (`ticket_option_not_applicable`).',
    ),
  restriction: z
    .enum(['companion'])
    .optional()
    .describe(
      '`companion`: sold only beside a wheelchair place that the same call takes, else `companion_pair_required`. Beside is the seat before or ' +
        'after it in its row, or the chair at its table; a skipped seat parts the two. Each wheelchair place pairs with one companion.',
    ),
});

const category = z.looseObject({
  key: id.describe('What objects, calls and reports name it by.'),
  label: text,
  color: text,
  price: number
    .optional()
    .describe(
      "What a unit costs where the category has no tiers: an integer, in major units of the event's currency. A category with neither price nor " +
        'tiers costs 0.',
    ),
  tiers: z
    .array(tier)
    .optional()
    .describe(
      'Prices to choose from, in place of `price`. A unit that is sold without a `tierId` gets the default: the first tier that applies to it and is ' +
        "not for companions; at a companion's place the first that applies. Ticket releases do not price a category with tiers.",
    ),
  notForSale: z.boolean().optional().describe('Its units are sold to nobody (`not_for_sale`) and show so.'),
});

const zone = z.looseObject({
  id: id.describe('What sections, best-available and availability rules name it by.'),
  label: text,
  color: text.optional(),
  focalPoint: point.optional().describe("Where the zone's seats are best; without it that of the floor or chart."),
});

const override = z.looseObject({
  index: count.describe(
    'Which seat, by its position: from 0, the first of the row (where `origin` is) or chair of the table, skipped ones counted, whatever ' +
      'number it has. Of several for one index the last counts.',
  ),
  skip: z.boolean().optional().describe('There is no seat. The others keep their places and numbers.'),
  dx: number.optional().describe('Moves it, from where it would stand.'),
  dy: number.optional(),
  label: label.optional().describe("The unit's whole label, in place of the one that would be made."),
  displayLabel: text.optional().describe('For people to read; calls name units by their labels.'),
  categoryKey: text.optional().describe("Its category, in place of the object's."),
  accessibility: kinds
    .optional()
    .describe(
      'What kinds of place it is. A `companion` place (that is not a `wheelchair` place too) is sold only with the wheelchair place beside it, as a ' +
        "companion's tier is. Best-available leaves out seats with a kind, unless the call names one of theirs.",
    ),
  accessible: z.boolean().optional().describe('true reads as `["wheelchair"]` where `accessibility` names nothing.'),
});

const numbering = z.looseObject({
  direction: z
    .enum(['ltr', 'rtl', 'center'])
    .describe('Numbers rise from the first seat, from the last, or from the middle outward (the lower index first).'),
  step: z
    .union([z.literal(1), z.literal(2)], { error: 'Must be 1 or 2.' })
    .optional()
    .describe('From one number to the next; 1 where absent.'),
  scheme: z
    .enum(['decimal', 'odd', 'even', 'roman', 'letters-upper', 'letters-lower', 'updown', 'updown-descending'])
    .optional()
    .describe(
      'How numbers are written; decimal where absent. odd and even go in steps of 2 from the first such number. Of six seats updown numbers 1 3 5 6 4 2, ' +
        'updown-descending 5 3 1 2 4 6. Letters go A to Z, then AA.',
    ),
  prefix: text.optional().describe('Before each number.'),
  endAt: number.optional().describe('The highest number, in place of `seatLabelStart`.'),
});

/** Of rows and tables alike. */
const overrides = z.array(override).optional().describe('Single seats that differ from the others.');

const row = z.looseObject({
  type: z.literal('row'),
  id,
  label: label.describe(
    'Its seats are labelled `{label}-{number}`. Rows may share a label where their numbers differ.',
  ),
  displayLabel: text.optional(),
  origin: point.describe(
    'Where the first seat stands, which the others follow at `seatSpacing`, and the row turns about.',
  ),
  rotation,
  curve: number.optional().describe('Total sweep in degrees; 0 or absent is straight.'),
  path: z
    .looseObject({ start: point, control1: point, control2: point, end: point })
    .optional()
    .describe(
      'A cubic Bézier curve with the seats evenly along it, in place of origin, rotation, curve and seatSpacing.',
    ),
  seatCount: count.describe('Skipped ones counted.'),
  seatSpacing: number,
  categoryKey,
  seatLabelStart: number.optional().describe('The lowest number; 1 where absent.'),
  seatNumbering: numbering.optional().describe('Without it 1, 2, 3 … from the first seat.'),
  overrides,
});

const table = z.looseObject({
  type: z.literal('table'),
  id,
  label: label.describe('Its chairs are labelled `{label}-1` and on; sold as a whole it is one unit of this label.'),
  center: point,
  shape: z.enum(['round', 'rect']),
  seatCount: count.describe('Chairs; its capacity, where it is sold as a whole.'),
  rotation,
  radius: number.optional().describe('Of a round table; 40 where absent.'),
  seatArc: number
    .optional()
    .describe(
      'Degrees that the chairs of a round table are spread over, with the gap at `rotation`; 360 where absent.',
    ),
  width: number.optional().describe('Of a rectangular table; 80 where absent.'),
  height: number.optional().describe('50 where absent.'),
  sides: z
    .array(z.enum(['top', 'bottom', 'left', 'right']))
    .optional()
    .describe('Which sides of a rectangular table have chairs; top and bottom where absent.'),
  seatCountsBySide: z
    .looseObject({ top: count.optional(), bottom: count.optional(), left: count.optional(), right: count.optional() })
    .optional()
    .describe(
      'How many each side has; without it they are dealt to the sides in turn. Numbered top, bottom, left, right.',
    ),
  categoryKey,
  overrides,
  bookAsWhole: z
    .boolean()
    .optional()
    .describe(
      'One unit: whoever takes it pays `unitPrice` for each of `seatCount` guests. Its overrides mean nothing then.',
    ),
  variableOccupancy: z
    .boolean()
    .optional()
    .describe(
      'One unit too, sold for a `quantity` of guests from `minOccupancy` to `maxOccupancy`; `unitPrice` is for each.',
    ),
  minOccupancy: count.optional().describe('1 where absent.'),
  maxOccupancy: count.optional().describe('seatCount where absent. What a call takes that names no quantity.'),
});

const booth = z.looseObject({
  type: z.literal('booth'),
  id,
  label: label.describe('The label of its one unit.'),
  center: point,
  width: number,
  height: number,
  rotation,
  categoryKey,
});

const gaArea = z.looseObject({
  type: z.literal('gaArea'),
  id: id.describe(
    'Stands in the labels of its places: `__sl_ga__{id}__{n}` with the id as encodeURIComponent writes it, n from 1. They are units like ' +
      'seats, and calls may name them.',
  ),
  label: label.describe(
    'Names the area in calls, with a `quantity`: its lowest free places are taken. No label of a unit may be the same.',
  ),
  points: outline,
  holes,
  capacity: count.describe('How many places it has.'),
  categoryKey,
  inventorySegments: z
    .array(z.looseObject({ sourceAreaId: id, startIndex: count.describe('From 0.'), count }))
    .optional()
    .describe(
      'Of an area that was merged or split, the areas its places come from: they keep those labels. The counts add up to `capacity`.',
    ),
});

const section = z.looseObject({
  type: z.literal('section'),
  id: id.describe('What reports, section states and availability rules name it by.'),
  label: text,
  displayLabel: text.optional(),
  logicalSectionId: id.optional().describe('Sections that share one are one section, under this id.'),
  outline: outline.describe(
    'Whatever has its centre in here is of this section, of the first in the list where several have it: the mean of the seats of a row, the centre of a ' +
      "table or booth, the mean of an area's points. The edge of the outline counts as inside, that of a hole as outside. What is in no section is in `__ungrouped__`.",
  ),
  holes,
  zone: text.optional().describe('The id of the zone that the section, and all in it, is of.'),
});

const decor = z.looseObject({ type: z.enum(['shape', 'text', 'decorImage']).describe('Drawn, never sold.') });

const chartObject = z.discriminatedUnion('type', [row, table, booth, gaArea, section, decor]);
const floor = z.looseObject({
  id,
  name: text,
  objects: z.array(chartObject),
  focalPoint: point.describe("Where the floor's seats are best, but for those of a zone with a focal point."),
});

export const chartDocument = z
  .looseObject({
    version: z.literal(1),
    name: text,
    venueType: z.enum(['SIMPLE', 'MIXED']),
    focalPoint: point.describe(
      'Where seats are best, such as the middle of the stage: best-available measures from it.',
    ),
    categories: z.array(category),
    zones: z.array(zone).optional(),
    floors: z
      .array(floor)
      .optional()
      .describe("Where there are any, the floors' objects are the venue, and `objects` mirrors the first floor."),
    objects: z.array(chartObject),
  })
  .describe(
    'A seat map. Coordinates are abstract units, y grows downward, degrees turn clockwise; fields that are not named here are kept as they are. What is ' +
      'sold are its units: the seats of rows, chairs of tables, booths, tables sold as a whole and the places of areas, each known to every call by its label. ' +
      `Labels differ over the whole chart and have at most ${unitLabelLengthMax} characters, ids and keys at most ${idLengthMax}: publishing sees to it.`,
  );

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
