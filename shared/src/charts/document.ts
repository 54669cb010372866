/**
 * The chart document: what a designer saves and publishes. Coordinates are abstract units, y grows downward, degrees
 * turn clockwise. The schemas check structure alone, so a draft may be unfinished; publishing checks the meaning
 * (publish-issues.ts). Unknown fields are kept. The texts of `describe` appear in the OpenAPI description.
 */
import '../protocol/plain-issues.ts';
import { z } from 'zod';
import type { Issue } from '../protocol/errors.ts';
import { feeNameLengthMax, feesMax, idLengthMax, unitLabelLengthMax } from '../protocol/limits.ts';
import { priceUnits } from '../protocol/money.ts';
import { accessibilityKinds } from './accessibility.ts';

/** JSON can spell an infinite number (1e999). Finiteness is a question of meaning, so a draft may hold one. */
const number = z.custom<number>((value) => typeof value === 'number', 'Must be a number.').meta({ type: 'number' });

const count = z.int().min(0);

const text = z.string();

/** Ids and labels travel in URLs and as UTF-8, which cannot carry half a surrogate pair. */
const label = z.string().regex(/^\P{Surrogate}+$/u, 'Must be a text of at least one character, well-formed Unicode.');

/** Ids are also names in JSON objects, where many parsers give `__proto__` a special meaning. */
const id = label.refine((text) => text !== '__proto__', 'Cannot be __proto__.');

const point = z.looseObject({ x: number, y: number });

const focalPoint = z.looseObject({
  x: number,
  y: number,
  supposed: z
    .boolean()
    .optional()
    .describe(
      'true: nobody has set the point. The designer moves it with the drawing, to the stage or before the front row.',
    ),
});

const outline = z.array(point).describe('The corners of a polygon in order, three at least.');

const holes = z.array(outline).optional().describe('Areas inside the outline that do not belong to it.');

const kinds = z.array(z.enum(accessibilityKinds));

const rotation = number.optional().describe('Degrees clockwise.');

const categoryKey = text.describe('The key of a category of the chart.');

/** Publishing checks names and amounts. A draft may be unfinished. */
const fees = z
  .array(
    z.looseObject({
      name: text.describe(`As buyers read it, at most ${feeNameLengthMax} characters.`),
      amount: number.describe("An integer, in the chart's `priceUnit`: for each place, or each guest of a table."),
    }),
  )
  .optional();

const allIn = z
  .boolean()
  .optional()
  .describe('true: the price has the fees in it. Else they come on top of the price.');

const previousPrice = number
  .optional()
  .describe("An integer, in the chart's `priceUnit`: the price before, which pages show struck through.");

const tier = z.looseObject({
  id: id.describe(`The tier's name in calls, as \`tierId\`; at most ${idLengthMax} characters.`),
  name: text,
  price: number.describe("An integer, in the chart's `priceUnit`."),
  previousPrice,
  fees: fees.describe(`At most ${feesMax}. Absent: those of the category. An empty list: none.`),
  allIn: allIn.describe('true: the price has the fees in it. Else they come on top. Absent: as the category says.'),
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
      'The units of the category to which the tier applies; all units where this field is absent. With both lists, ' +
        'a unit must be in both; an empty list restricts nothing. For other units the tier is refused ' +
        '(`ticket_option_not_applicable`).',
    ),
  restriction: z
    .enum(['companion'])
    .optional()
    .describe(
      '`companion`: sold only beside a wheelchair place that the same call takes, else ' +
        '`companion_pair_required`. Beside means: the seat before or after it in its row, or the chair at its table. ' +
        'A skipped seat parts the two. Each wheelchair place takes up to three companions.',
    ),
});

const category = z.looseObject({
  key: id.describe('The name of the category in objects, calls and reports.'),
  label: text,
  color: text,
  price: number
    .optional()
    .describe(
      "The price of a unit where the category has no tiers: an integer, in the chart's `priceUnit`. Free is 0. A place " +
        'of a category with neither price nor tiers is sold to buyers only under a ticket release or a price of its ' +
        'channel, else 422 `price_missing`; a server names its `price`.',
    ),
  tiers: z
    .array(tier)
    .optional()
    .describe(
      'Prices to choose from, in place of `price`. A unit that is sold without a `tierId` gets the default: the first tier that applies to it and is ' +
        "not for companions; at a companion's place the first tier that applies. Ticket releases do not price a category with tiers.",
    ),
  previousPrice,
  fees: fees.describe(
    `At most ${feesMax}, of each place of the category at any price: its own, and that of a ticket release or channel.`,
  ),
  allIn,
  notForSale: z.boolean().optional().describe('Its units cannot be sold; their status is `not_for_sale`.'),
});

const zone = z.looseObject({
  id: id.describe('The name of the zone in sections, best-available calls and availability rules.'),
  label: text,
  color: text.optional(),
  focalPoint: point
    .optional()
    .describe("The point nearest to the zone's best seats. Without it the focal point of the floor or chart counts."),
});

/** A place, its object and its section may each name a way. The place's word wins, then the object's. */
const way = {
  stepFree: z
    .boolean()
    .optional()
    .describe(
      'true: no steps lead to the place. The word of a seat goes before the word of its row or table, and that before ' +
        "its section's. Best-available chooses such places where the call asks for `stepFree`.",
    ),
  lift: z.boolean().optional().describe('true: a lift leads to the place, so that no steps do.'),
};

const override = z.looseObject({
  index: count.describe(
    'The position of the seat, whatever its number: 0 is the first seat of the row (at `origin`) or the first chair of the table, and ' +
      'skipped seats count. Of several overrides for one index the last counts.',
  ),
  skip: z
    .boolean()
    .optional()
    .describe(
      'No seat stands here. The other seats keep their places, and their numbers unless `seatNumbering.countSkipped` is false.',
    ),
  dx: number.optional().describe('Moves the seat from its computed position.'),
  dy: number.optional(),
  label: label.optional().describe("The unit's whole label, instead of the computed label."),
  displayLabel: text.optional().describe('A text for people. Calls name units by their labels.'),
  categoryKey: text.optional().describe("The seat's category, instead of the object's."),
  accessibility: kinds
    .optional()
    .describe(
      'The kinds of the place. A `companion` place (that is not a `wheelchair` place too) is sold only with its wheelchair place: the next ' +
        'in its row, at any distance, or the place that `companionOf` names. A wheelchair place has up to three. Best-available leaves out seats with a kind, unless the call names one of their kinds.',
    ),
  companionOf: label
    .optional()
    .describe(
      'At a `companion` place: the label of its wheelchair place, in any row. Without it the place belongs to the ' +
        'wheelchair place of its row, at any distance.',
    ),
  accessible: z.boolean().optional().describe('true means `["wheelchair"]` when `accessibility` is absent or empty.'),
  ...way,
  wheelchairSpaceType: text
    .nullish()
    .describe('A text of any kind also means `["wheelchair"]` when `accessibility` is absent or empty.'),
});

const numbering = z.looseObject({
  direction: z
    .enum(['ltr', 'rtl', 'center'])
    .describe('Numbers rise from the first seat, from the last, or from the middle outward (the lower index first).'),
  step: z
    .literal([1, 2], { error: 'Must be 1 or 2.' })
    .optional()
    .describe('The difference between one number and the next; 1 where absent.'),
  scheme: z
    .enum(['decimal', 'odd', 'even', 'roman', 'letters-upper', 'letters-lower', 'updown', 'updown-descending'])
    .optional()
    .describe(
      'How numbers are written; decimal where absent. odd and even go in steps of 2 from the first such number. Of six seats updown numbers 1 3 5 6 4 2, ' +
        'updown-descending 5 3 1 2 4 6. Letters go A to Z, then AA.',
    ),
  prefix: text.optional().describe('Before each number.'),
  endAt: number.optional().describe('The highest number, instead of `seatLabelStart`.'),
  countSkipped: z
    .boolean()
    .optional()
    .describe('false: skipped seats take no number, so the numbers go on behind them. true where absent.'),
});

/** For rows and tables. */
const overrides = z.array(override).optional().describe('Single seats that differ from the others.');

/** Charts of other systems may have segments of later kinds, so nothing here is refused. */
const segment = z.looseObject({
  kind: z.unknown().optional().describe('`segmented-row-v1`; another kind has no effect.'),
  groupId: z.unknown().optional(),
  componentIndex: z.unknown().optional().describe('From 0, an integer.'),
  boundaryBefore: z.unknown().optional().describe('`start`, `continuous` or `gap`.'),
});

/** The field of a row that is a piece of a longer row (compile.ts). */
const segmentedRow = segment
  .nullish()
  .describe(
    'For a piece of a row. Where `boundaryBefore` is `continuous`, the first seat of the piece and the last seat of the ' +
      'piece before it (the same `groupId`, `componentIndex` one lower) are neighbours: best-available seats a party ' +
      'across the boundary. The pieces stand one after the other in `objects`, in the same section.',
  );

const row = z.looseObject({
  type: z.literal('row'),
  id,
  label: label.describe(
    'Its seats are labelled `{label}-{number}`. Rows may share a label where their numbers differ.',
  ),
  displayLabel: text.optional(),
  origin: point.describe(
    'The position of the first seat. The other seats follow at `seatSpacing`, and the row turns about this point.',
  ),
  rotation,
  curve: number.optional().describe('Total sweep in degrees; 0 is straight. A row without it is saved with 0.'),
  path: z
    .looseObject({ start: point, control1: point, control2: point, end: point })
    .optional()
    .describe(
      'A cubic Bézier curve with the seats evenly along it, in place of origin, rotation, curve and seatSpacing.',
    ),
  seatCount: count.describe('Skipped seats included.'),
  seatSpacing: number,
  categoryKey,
  seatLabelStart: number.optional().describe('The lowest number; 1 where absent.'),
  seatNumbering: numbering.optional().describe('Without it 1, 2, 3 … from the first seat.'),
  segmentedRow,
  overrides,
  ...way,
});

const table = z.looseObject({
  type: z.literal('table'),
  id,
  label: label.describe(
    'Chairs have the labels `{label}-1` and so on. A table that is sold as a whole is one unit of this label.',
  ),
  center: point,
  shape: z.enum(['round', 'rect']),
  seatCount: count.describe('The number of chairs: the capacity of a table that is sold as a whole.'),
  rotation,
  radius: number.optional().describe('For a round table; 40 where absent.'),
  seatArc: number
    .optional()
    .describe(
      'Degrees that the chairs of a round table are spread over, with the gap at `rotation`; 360 where absent.',
    ),
  width: number.optional().describe('For a rectangular table; 80 where absent.'),
  height: number.optional().describe('50 where absent.'),
  sides: z
    .array(z.enum(['top', 'bottom', 'left', 'right']))
    .optional()
    .describe('The sides of a rectangular table that have chairs; top and bottom where absent.'),
  seatCountsBySide: z
    .looseObject({ top: count.optional(), bottom: count.optional(), left: count.optional(), right: count.optional() })
    .optional()
    .describe(
      'The number of chairs on each side. Without it, chairs go to the sides in turn. Numbers run top, bottom, left, right.',
    ),
  categoryKey,
  overrides,
  bookAsWhole: z
    .boolean()
    .optional()
    .describe(
      'The table is one unit, and its buyer pays `unitPrice` for each of `seatCount` guests. Its overrides have no effect.',
    ),
  variableOccupancy: z
    .boolean()
    .optional()
    .describe(
      'The table is one unit, sold for a `quantity` of guests: `minOccupancy` to `maxOccupancy`, `unitPrice` for each.',
    ),
  minOccupancy: count.optional().describe('1 where absent.'),
  maxOccupancy: count.optional().describe('seatCount where absent. A call without a quantity takes this many.'),
  ...way,
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
  ...way,
});

const gaArea = z.looseObject({
  type: z.literal('gaArea'),
  id: id.describe(
    'A part of the labels of its places: `__sl_ga__{id}__{n}` with the id as encodeURIComponent writes it, n from 1. ' +
      'The places are units like seats, and calls may name them.',
  ),
  label: label.describe(
    'Names the area in calls, with a `quantity`: its lowest free places are taken. No label of a unit may be the same.',
  ),
  points: outline,
  holes,
  capacity: count.describe('The number of places.'),
  categoryKey,
  inventorySegments: z
    .array(z.looseObject({ sourceAreaId: id, startIndex: count.describe('From 0.'), count }))
    .optional()
    .describe(
      'For an area that was merged or split: the areas from which its places come and keep their labels. ' +
        'The counts add up to `capacity`.',
    ),
  ...way,
});

const section = z.looseObject({
  type: z.literal('section'),
  id: id.describe('The name of the section in reports, section states and availability rules.'),
  label: text,
  displayLabel: text.optional(),
  logicalSectionId: id.optional().describe('Sections with the same logical id count as one section under that id.'),
  outline: outline.describe(
    'An object is in the first section of the list whose outline has its centre: the mean of the seats of a row, ' +
      "the centre of a table or booth, the mean of an area's points. The edge of the outline counts as inside, " +
      'the edge of a hole as outside. ' +
      'An object in no section is in `__ungrouped__`.',
  ),
  holes,
  zone: text.optional().describe('The id of the zone of the section and of every object in it.'),
  ...way,
});

const decor = z.looseObject({ type: z.enum(['shape', 'text', 'decorImage']).describe('Drawn, never sold.') });

const chartObject = z.discriminatedUnion('type', [row, table, booth, gaArea, section, decor]);

const floor = z.looseObject({
  id,
  name: text,
  objects: z.array(chartObject),
  focalPoint: focalPoint.describe(
    "The point nearest to the floor's best seats, except seats of a zone with its own focal point.",
  ),
});

export const chartDocument = z
  .looseObject({
    version: z.literal(1),
    name: text,
    venueType: z.enum(['SIMPLE', 'MIXED']),
    focalPoint: focalPoint.describe(
      'The point nearest to the best seats, such as the middle of the stage: best-available measures from it.',
    ),
    priceUnit: z
      .enum(priceUnits)
      .optional()
      .describe(
        'The unit of all prices and fees of the chart: whole units of the currency (`major`, where absent), or its minor units of ISO 4217 (12.50 EUR are 1250). ' +
          'Its events inherit the unit. It stays as it was first published.',
      ),
    categories: z.array(category),
    missingPrices: z
      .literal('refused')
      .optional()
      .describe(
        'Set by publishing, where a category has no price: its places are not free. Versions without it cost 0.',
      ),
    zones: z.array(zone).optional(),
    floors: z
      .array(floor)
      .optional()
      .describe("With floors, the floors' objects are the venue, and `objects` mirrors the first floor."),
    objects: z.array(chartObject),
  })
  .describe(
    'A seat map. Coordinates are abstract units, y grows downward, degrees turn clockwise; fields that are ' +
      'not named here are kept as they are. Its units are sold: the seats of rows, chairs of tables, booths, tables sold as a whole and ' +
      'the places of areas. ' +
      'Every call knows a unit by its label. ' +
      `Labels differ over the whole chart and have at most ${unitLabelLengthMax} characters, ids and keys ` +
      `at most ${idLengthMax}: publishing refuses other documents.`,
  );

export type ChartDocument = z.infer<typeof chartDocument>;

export type Category = z.infer<typeof category>;

/** One of several prices within a category. */
export type Tier = NonNullable<Category['tiers']>[number];

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

/** Issues in one answer. A document with more is broken as a whole. */
export const issuesMax = 1_000;

/**
 * The reasons why `value` lacks the structure of a chart document, at most `issuesMax`; none when it has the structure.
 * Paths as in `placeOf`.
 */
export function checkStructure(value: unknown): Issue[] {
  const parsed = chartDocument.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, issuesMax).map(({ path, message }) => ({ message, ...placeOf(value, path) }));
}

/**
 * A place in a document. Its path is field names joined by dots. A list element appears with its id or key, else with
 * its index: `objects.row-a.overrides.0.dx`. So an issue names the object even in a long list.
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

/** The id or key of a list's element, or null. */
export function nameOf(element: unknown): string | null {
  const { id, key } = (element ?? {}) as { id?: unknown; key?: unknown };
  if (typeof id === 'string') return id;
  return typeof key === 'string' ? key : null;
}
