/**
 * An operator's changes of the chart of one event: the category of seats, and the way in which tables are sold. The
 * event gets a document of its own, which has all changes so far as `eventAdjustments`. The next version of the chart
 * can therefore get the same changes, as far as they fit. Pure.
 */

import type { ChartDocument, ChartObject, Override, Table } from '@parterre/shared/charts/document';
import { hasSeats, isSeller, partsOf, placesOf, type Seller } from '@parterre/shared/charts/places';
import type { AdjustmentDraft, DroppedAdjustment, TableBooking } from '@parterre/shared/protocol/catalog/charts';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';

/** Categories by the label of a unit or an area; table bookings by the id of a table. */
export type Adjustments = { categories: ReadonlyMap<string, string>; tables: ReadonlyMap<string, TableBooking> };

export type Adjusted = { document: ChartDocument; dropped: DroppedAdjustment[] };

const FIELD = 'eventAdjustments';

export function adjustmentsIn(document: ChartDocument): Adjustments {
  const kept = (document as { [FIELD]?: { categories?: [string, string][]; tables?: [string, TableBooking][] } })[
    FIELD
  ];
  return { categories: new Map(kept?.categories), tables: new Map(kept?.tables) };
}

/** The document without its list of changes. Their effects stay. */
export function withoutAdjustments(document: ChartDocument): ChartDocument {
  if (document[FIELD] === undefined) return document;
  const { [FIELD]: _, ...own } = document;
  return own as ChartDocument;
}

/** The whole document with one more change, and the parts of this change that do not fit. */
export function withChange(document: ChartDocument, change: AdjustmentDraft): Adjusted {
  const before = adjustmentsIn(document);
  const isOfTables = 'tableIds' in change;
  const added: Adjustments = {
    categories: new Map(isOfTables ? [] : change.labels.map((label) => [label, change.categoryKey])),
    tables: new Map(isOfTables ? change.tableIds.map((id) => [id, change.booking]) : []),
  };
  const { document: changed, dropped } = applied(document, added);
  if (dropped.length > 0) return { document, dropped };
  const { labels } = unitsOf(changed);
  const categories = new Map([...before.categories, ...added.categories].filter(([label]) => labels.has(label)));
  return { document: noted(changed, { categories, tables: new Map([...before.tables, ...added.tables]) }), dropped };
}

/** Another version of the chart with the earlier changes that fit, and the list of those that do not. */
export function carriedOver(document: ChartDocument, before: Adjustments): Adjusted {
  const { document: changed, dropped } = applied(document, before);
  const lost = new Set(dropped.flatMap(({ names }) => names));
  const left = <T>(all: ReadonlyMap<string, T>) => new Map([...all].filter(([name]) => !lost.has(name)));
  const kept = { categories: left(before.categories), tables: left(before.tables) };
  const isAny = kept.categories.size + kept.tables.size > 0;
  return { document: isAny ? noted(changed, kept) : document, dropped: dropped.map(shortened) };
}

function shortened({ names, ...more }: DroppedAdjustment): DroppedAdjustment {
  return { ...more, names: names.slice(0, missingLabelsMax) };
}

function noted(document: ChartDocument, { categories, tables }: Adjustments): ChartDocument {
  return { ...document, [FIELD]: { categories: [...categories], tables: [...tables] } };
}

/** Tables come first: the way they are sold decides which labels exist. */
function applied(document: ChartDocument, { categories, tables }: Adjustments): Adjusted {
  const drops: Drops = new Map();
  const withTables = tables.size === 0 ? document : tablesSold(document, tables, drops);
  const changed = categories.size === 0 ? withTables : recategorised(withTables, categories, drops);
  const dropped = [...drops].map(([reason, names]) => ({ reason, count: names.length, names }));
  return { document: changed, dropped };
}

type Drops = Map<DroppedAdjustment['reason'], string[]>;

function drop(drops: Drops, reason: DroppedAdjustment['reason'], name: string): void {
  const names = drops.get(reason);
  if (names) names.push(name);
  else drops.set(reason, [name]);
}

/** `objects` mirrors the first floor where there are floors. */
function mapSellers(document: ChartDocument, changed: (seller: Seller) => ChartObject): ChartDocument {
  const all = (objects: ChartObject[]) => objects.map((object) => (isSeller(object) ? changed(object) : object));
  if (!document.floors?.length) return { ...document, objects: all(document.objects) };
  const floors = document.floors.map((floor) => ({ ...floor, objects: all(floor.objects) }));
  return { ...document, floors, objects: floors[0]!.objects };
}

function tablesSold(document: ChartDocument, tables: Adjustments['tables'], drops: Drops): ChartDocument {
  const missing = new Set(tables.keys());
  const changed = mapSellers(document, (object) => {
    const booking = object.type === 'table' ? tables.get(object.id) : undefined;
    if (object.type !== 'table' || booking === undefined) return object;
    missing.delete(object.id);
    const sold = tableSold(object, booking);
    if (sold === null) drop(drops, 'occupancy', object.id);
    return sold ?? object;
  });
  for (const id of missing) drop(drops, 'unknown_table', id);
  return changed;
}

/** Null where the numbers of guests do not fit the table's chairs. */
function tableSold(table: Table, { mode, minOccupancy, maxOccupancy }: TableBooking): Table | null {
  const { minOccupancy: _, maxOccupancy: __, ...plain } = table;
  if (mode !== 'variable') return { ...plain, bookAsWhole: mode === 'whole', variableOccupancy: false };
  const fewest = minOccupancy ?? 1;
  const most = maxOccupancy ?? table.seatCount;
  if (fewest < 1 || fewest > most || most > table.seatCount) return null;
  return { ...plain, bookAsWhole: true, variableOccupancy: true, minOccupancy: fewest, maxOccupancy: most };
}

type Units = {
  /** The object and, of a row or table that is sold by its seats, the seat. */
  labels: Map<string, { object: Seller; index: number | null }>;
  /** Places of each area. */
  places: Map<Seller, number>;
};

function unitsOf(document: ChartDocument): Units {
  const labels: Units['labels'] = new Map();
  const places: Units['places'] = new Map();
  for (const object of partsOf(document).flatMap(({ objects }) => objects.filter(isSeller))) {
    const all = placesOf(object);
    for (const { label, index } of all) labels.set(label, { object, index: hasSeats(object) ? index : null });
    if (object.type !== 'gaArea') continue;
    places.set(object, all.length);
    labels.set(object.label, { object, index: null });
  }
  return { labels, places };
}

/** The new category of one object: its own, or those of some of its seats. */
type Wanted = { own: string | null; seats: Map<number, string>; places: string[] };

function recategorised(document: ChartDocument, categories: Adjustments['categories'], drops: Drops): ChartDocument {
  const known = new Set(document.categories.map(({ key }) => key));
  const { labels, places } = unitsOf(document);
  const wantedOf = new Map<Seller, Wanted>();
  for (const [label, key] of categories) {
    const unit = labels.get(label);
    if (!known.has(key)) drop(drops, 'unknown_category', label);
    else if (unit === undefined) drop(drops, 'unknown_label', label);
    else {
      const wanted: Wanted = wantedOf.get(unit.object) ?? { own: null, seats: new Map(), places: [] };
      wantedOf.set(unit.object, wanted);
      if (unit.index !== null) wanted.seats.set(unit.index, key);
      else if (unit.object.type === 'gaArea' && label !== unit.object.label) wanted.places.push(label);
      else wanted.own = key;
    }
  }
  return mapSellers(document, (object) => {
    const wanted = wantedOf.get(object);
    if (!wanted) return object;
    if (wanted.places.length > 0 && wanted.own === null)
      return areaRecategorised(object, wanted, places, categories, drops);
    if (wanted.own !== null) return { ...object, categoryKey: wanted.own };
    return hasSeats(object) ? { ...object, overrides: overridesWith(object.overrides ?? [], wanted.seats) } : object;
  });
}

/** Places of an area are alike: all of them change, or none. */
function areaRecategorised(
  area: Seller,
  wanted: Wanted,
  places: Units['places'],
  categories: Adjustments['categories'],
  drops: Drops,
): Seller {
  const keys = new Set(wanted.places.map((label) => categories.get(label)!));
  const [categoryKey] = keys;
  if (keys.size === 1 && wanted.places.length === places.get(area)) return { ...area, categoryKey: categoryKey! };
  for (const label of wanted.places) drop(drops, 'part_of_area', label);
  return area;
}

/** The last override of an index counts. */
function overridesWith(overrides: readonly Override[], seats: ReadonlyMap<number, string>): Override[] {
  const byIndex = new Map<number, Override>();
  for (const override of overrides) byIndex.set(override.index, override);
  for (const [index, categoryKey] of seats) byIndex.set(index, { ...byIndex.get(index), index, categoryKey });
  return [...byIndex.values()];
}
