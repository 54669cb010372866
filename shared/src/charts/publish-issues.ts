/** The meaning that a chart needs before it can be sold. document.ts checks the structure. */
import type { Issue } from '../protocol/errors.ts';
import {
  feeNameLengthMax,
  feesMax,
  gaCapacityMax,
  idLengthMax,
  tableChairsMax,
  unitLabelLengthMax,
  unitsPerChartMax,
} from '../protocol/limits.ts';
import { feesFor, type PriceUnit, priceMaxIn, sumOf, unitOf } from '../protocol/money.ts';
import { accessibilityKinds, isCompanionsKind } from './accessibility.ts';
import {
  type Category,
  type ChartDocument,
  type ChartObject,
  checkStructure,
  issuesMax,
  nameOf,
  type Override,
  type Row,
  type Section,
  type Table,
  type Tier,
} from './document.ts';
import { lookOf } from './look-alikes.ts';
import {
  accessibilityOf,
  bookingModeOf,
  draftCategorySeats,
  draftSeatTotal,
  hasSeats,
  isSeller,
  type Place,
  partsOf,
  placesOf,
  type Seller,
  sellsAnything,
} from './places.ts';
import type { Point } from './plan.ts';

/** An object whose meaning is checked, and its path. */
type Located = { object: Seller | Section; path: string };

type ChartNames = { categories: ReadonlySet<string>; zones: ReadonlySet<string> };

/** A plan's category column has 16 bits. */
const categoriesMax = 65_535;

/**
 * The reasons why a document cannot be published, at most `issuesMax`; none when `compilePlan` may take it. A path
 * starts with `objects.{objectId}`, `floors.{floorId}.objects.{objectId}`, `categories.{key}` or `zones.{zoneId}`; an
 * issue of the whole venue has the path `objects`. An object's issue carries the object's id.
 */
export function publishIssues(document: ChartDocument): Issue[] {
  // An infinite number of a request becomes null when it is stored as JSON.
  const broken = checkStructure(document);
  if (broken.length > 0) return broken;
  const objects = locate(document);
  const known = {
    categories: new Set(document.categories.map(({ key }) => key)),
    zones: new Set(document.zones?.map(({ id }) => id)),
  };
  const issues = [
    ...(isFiniteThroughout(document) ? [] : numberIssues(document)),
    ...categoryIssues(document),
    ...repeated(document.zones ?? [], 'zones'),
    ...(document.zones ?? []).flatMap(({ id }) => idIssues(id, `zones.${id}.id`)),
    ...repeated(document.floors ?? [], 'floors'),
    ...objectIdIssues(objects),
    ...objects.flatMap((located) =>
      objectIssues(located, known).map((issue) => ({ ...issue, objectId: located.object.id })),
    ),
    ...inventoryIssues(document, objects),
    ...companionIssues(objects),
  ];
  return issues.slice(0, issuesMax);
}

/** A fault that does not keep a chart from being published. The path is as of an issue. */
export type PublishWarning = { code: 'missing_price'; path: string; message: string };

/** One for each category that sells places and has no price. */
export function publishWarnings(document: ChartDocument): PublishWarning[] {
  const unpriced = document.categories.filter(hasNoPrice);
  if (unpriced.length === 0) return [];
  const seats = draftCategorySeats(document);
  return unpriced
    .filter(({ key }) => seats[key]! > 0)
    .map(({ key, label }) => ({
      code: 'missing_price',
      path: `categories.${key}.price`,
      message: `The category "${label}" has no price, and buyers cannot have its places. Give it a price; 0 is free.`,
    }));
}

/** Whether places of the category may lack a price: a tier always has one. */
function hasNoPrice({ price, tiers = [], notForSale }: Category): boolean {
  return price === undefined && tiers.length === 0 && !notForSale;
}

/**
 * The document as a publish stores it. Where a category has no price, the document says that its places are not free:
 * versions that were published before this rule say nothing, and cost 0.
 */
export function refusingMissingPrices(document: ChartDocument): ChartDocument {
  const isSaid = document.missingPrices !== undefined;
  return isSaid || !document.categories.some(hasNoPrice) ? document : { ...document, missingPrices: 'refused' };
}

function locate(document: ChartDocument): Located[] {
  return partsOf(document).flatMap(({ floor, objects }) => {
    const base = floor ? `floors.${floor.id}.objects` : 'objects';
    return objects.filter(hasMeaning).map((object) => ({ object, path: `${base}.${object.id}` }));
  });
}

function hasMeaning(object: ChartObject): object is Seller | Section {
  return object.type === 'section' || isSeller(object);
}

/** True for nearly every document, and much faster than a search for the exceptions. */
function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isFiniteThroughout);
}

/** Checks every number of the document, unknown fields included. */
function* numberIssues(value: unknown, path = '', of: Pick<Issue, 'objectId'> = {}, field = ''): Generator<Issue> {
  if (typeof value === 'number' && !Number.isFinite(value)) yield { path, message: 'Must be a finite number.', ...of };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const id = Array.isArray(value) ? nameOf(child) : null;
    const name = id || key;
    const object = id !== null && field === 'objects' ? { objectId: id } : of;
    yield* numberIssues(child, path === '' ? name : `${path}.${name}`, object, key);
  }
}

function categoryIssues(document: ChartDocument): Issue[] {
  const issues = repeated(document.categories, 'categories');
  if (document.categories.length > categoriesMax) {
    issues.push({ path: 'categories', message: `A chart has at most ${categoriesMax} categories.` });
  }
  for (const category of document.categories) {
    const path = `categories.${category.key}`;
    issues.push(...idIssues(category.key, `${path}.key`));
    issues.push(...moneyIssues(category, category, path, unitOf(document)));
    // A draft may repeat any number of tiers, and a call takes a bounded number of arguments.
    for (const issue of repeated(category.tiers ?? [], `${path}.tiers`)) issues.push(issue);
    for (const tier of category.tiers ?? []) {
      const at = `${path}.tiers.${tier.id}`;
      issues.push(...idIssues(tier.id, `${at}.id`), ...moneyIssues(tier, category, at, unitOf(document)));
    }
  }
  return issues;
}

/** The issues of a tier and its category, or of a category alone. */
function moneyIssues(priced: Category | Tier, category: Category, path: string, unit: PriceUnit): Issue[] {
  const { price, previousPrice, fees = [] } = priced;
  const issues: Issue[] = [];
  if (price !== undefined) issues.push(...amountIssues('A price', price, `${path}.price`, unit));
  if (previousPrice !== undefined) {
    issues.push(...amountIssues('A previous price', previousPrice, `${path}.previousPrice`, unit));
  }
  if (fees.length > feesMax) issues.push({ path: `${path}.fees`, message: `There are at most ${feesMax} fees.` });
  const names = new Set<string>();
  for (const [index, { name, amount }] of fees.slice(0, feesMax).entries()) {
    const at = `${path}.fees.${index}`;
    issues.push(...amountIssues('A fee', amount, `${at}.amount`, unit));
    if (name.trim() === '' || name.length > feeNameLengthMax) {
      issues.push({ path: `${at}.name`, message: `The name of a fee has 1 to ${feeNameLengthMax} characters.` });
    } else if (names.has(name)) issues.push({ path: `${at}.name`, message: `Another fee has the name ${name}.` });
    names.add(name);
  }
  const inside = feesFor(category, priced === category ? null : priced);
  if (issues.length === 0 && inside.allIn && price !== undefined && sumOf(inside.fees) > price) {
    const message = `The price has the fees in it (allIn), and they are more than the price of ${price}.`;
    issues.push({ path: `${path}.price`, message });
  }
  return issues;
}

function amountIssues(what: string, amount: number, path: string, unit: PriceUnit): Issue[] {
  const max = priceMaxIn(unit);
  if (Number.isInteger(amount) && amount >= 0 && amount <= max) return [];
  const isFraction = Number.isFinite(amount) && !Number.isInteger(amount);
  const cents =
    unit === 'minor'
      ? ` The chart has minor units: 12.50 is 1250.`
      : ` With \`priceUnit: minor\` a chart has prices such as 12.50, written as 1250.`;
  return [{ path, message: `${what} is an integer of 0 to ${max}.${isFraction ? cents : ''}` }];
}

function idIssues(id: string, path: string): Issue[] {
  if (id.length <= idLengthMax) return [];
  return [{ path, message: `No call could name it: an id or key has at most ${idLengthMax} characters.` }];
}

/** One issue for every element whose id or key an earlier element has. */
function repeated(elements: readonly ({ id: string } | { key: string })[], path: string): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const element of elements) {
    const name = nameOf(element)!;
    if (seen.has(name)) issues.push({ path: `${path}.${name}`, message: `${name} stands twice in ${path}.` });
    seen.add(name);
  }
  return issues;
}

/** Seat ids are made of object ids, so object ids must differ over all floors. */
function objectIdIssues(objects: readonly Located[]): Issue[] {
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const { object, path } of objects) {
    if (seen.has(object.id)) {
      issues.push({ path: `${path}.id`, message: `Another object has the id ${object.id}.`, objectId: object.id });
    }
    seen.add(object.id);
  }
  return issues;
}

function objectIssues({ object, path }: Located, known: ChartNames): Issue[] {
  const issues = idIssues(object.id, `${path}.id`);
  if (object.type === 'section') return [...issues, ...sectionIssues(object, path, known)];
  issues.push(...categoryKeyIssues(object, path, known));
  if (object.type === 'gaArea') issues.push(...areaIssues(object, path));
  if (object.type === 'table' && object.seatCount > tableChairsMax) {
    issues.push({ path: `${path}.seatCount`, message: `A table has at most ${tableChairsMax} chairs.` });
  }
  if (object.type === 'table' && bookingModeOf(object) === 'variable') {
    if ((object.minOccupancy ?? 1) > (object.maxOccupancy ?? object.seatCount)) {
      issues.push({ path: `${path}.minOccupancy`, message: 'The fewest guests are more than the most.' });
    }
  }
  return issues;
}

function sectionIssues(section: Section, path: string, known: ChartNames): Issue[] {
  const issues = [...outlineIssues(section.outline, `${path}.outline`), ...holeIssues(section.holes, path)];
  if (section.logicalSectionId !== undefined) {
    issues.push(...idIssues(section.logicalSectionId, `${path}.logicalSectionId`));
  }
  if (section.zone !== undefined && !known.zones.has(section.zone)) {
    issues.push({ path: `${path}.zone`, message: `The chart has no zone ${section.zone}.` });
  }
  return issues;
}

function outlineIssues(outline: readonly Point[], path: string): Issue[] {
  return outline.length < 3 ? [{ path, message: 'An outline has at least three points.' }] : [];
}

function holeIssues(holes: readonly (readonly Point[])[] | undefined, path: string): Issue[] {
  return (holes ?? []).flatMap((hole, index) => outlineIssues(hole, `${path}.holes.${index}`));
}

function categoryKeyIssues(object: Seller, path: string, known: ChartNames): Issue[] {
  const issues: Issue[] = [];
  const check = (key: string, at: string) => {
    if (known.categories.has(key)) return;
    const message = key === '' ? 'It has no category.' : `The chart has no category ${key}.`;
    issues.push({ path: at, message });
  };
  check(object.categoryKey, `${path}.categoryKey`);
  if (object.type !== 'row' && object.type !== 'table') return issues;
  for (const [position, { categoryKey }] of (object.overrides ?? []).entries()) {
    if (categoryKey !== undefined) check(categoryKey, `${path}.overrides.${position}.categoryKey`);
  }
  return issues;
}

function areaIssues(area: Extract<Seller, { type: 'gaArea' }>, path: string): Issue[] {
  const issues = [...outlineIssues(area.points, `${path}.points`), ...holeIssues(area.holes, path)];
  if (area.capacity > gaCapacityMax) {
    issues.push({ path: `${path}.capacity`, message: `An area has at most ${gaCapacityMax} places.` });
  }
  const inSegments = area.inventorySegments?.reduce((sum, { count }) => sum + count, 0) ?? area.capacity;
  if (inSegments !== area.capacity) {
    const message = `The segments have ${inSegments} places, the area ${area.capacity}.`;
    issues.push({ path: `${path}.inventorySegments`, message });
  }
  return issues;
}

/** Issues of all the venue's places together. Labels are compared only when there are few enough to make. */
function inventoryIssues(document: ChartDocument, objects: readonly Located[]): Issue[] {
  const total = draftSeatTotal(document);
  if (total > unitsPerChartMax) {
    return [{ path: 'objects', message: `A chart has at most ${unitsPerChartMax} places; this one has ${total}.` }];
  }
  const issues = placeIssues(objects);
  if (!sellsAnything(document)) issues.push({ path: 'objects', message: 'Nothing in this chart can be sold.' });
  return issues;
}

/**
 * Repeated labels, and labels that look the same, one issue of each kind for each pair of objects that share some; and
 * places too far away to have a position. An area's own label counts too, because callers name areas by it.
 */
function placeIssues(objects: readonly Located[]): Issue[] {
  const claims = new Map<string, Claim>();
  const issues: Issue[] = [];
  for (const { object, path } of objects) {
    if (!isSeller(object)) continue;
    const places = placesOf(object);
    const objectId = object.id;
    issues.push(...labelLengthIssues(object, path, places).map((issue) => ({ ...issue, objectId })));
    const labels = places.map(({ label }) => label);
    if (object.type === 'gaArea') labels.push(object.label);
    for (const message of sharedLabels(object, labels, claims)) {
      issues.push({ path: `${path}.label`, message, objectId });
    }
    if (!places.every(({ x, y }) => Number.isFinite(Math.fround(x)) && Number.isFinite(Math.fround(y)))) {
      issues.push({ path, message: 'Its numbers put a place at no finite position.', objectId });
    }
  }
  return issues;
}

/** The first object with a label that looks like this, and the label. */
type Claim = { object: Seller; label: string };
type Shared = { object: Seller; label: string; other: string; more: number };

/** Claims the labels for the object, and tells which labels others have claimed. */
function sharedLabels(object: Seller, labels: readonly string[], claims: Map<string, Claim>): string[] {
  const equal = new Map<string, Shared>();
  const alike = new Map<string, Shared>();
  for (const label of labels) {
    const look = lookOf(label);
    const claim = claims.get(look);
    if (!claim) {
      claims.set(look, { object, label });
      continue;
    }
    const shared = claim.label === label ? equal : alike;
    const known = shared.get(claim.object.id);
    if (known) known.more++;
    else shared.set(claim.object.id, { object: claim.object, label, other: claim.label, more: 0 });
  }
  return [
    ...Array.from(equal.values(), (shared) => duplicateText(object, shared)),
    ...Array.from(alike.values(), (shared) => alikeText(object, shared)),
  ];
}

/** A place that names its wheelchair place is a companion place, and the named place is a wheelchair place. */
function companionIssues(objects: readonly Located[]): Issue[] {
  const named = objects.filter(({ object }) => hasSeats(object) && object.overrides?.some(namesWheelchair));
  if (named.length === 0) return [];
  const wheelchairs = new Set<string>();
  for (const { object } of objects) {
    if (!hasSeats(object) || !object.overrides?.some(isWheelchairOverride)) continue;
    for (const { label, accessibility } of placesOf(object)) if (accessibility & wheelchair) wheelchairs.add(label);
  }
  return named.flatMap(({ object, path }) =>
    (object as Row | Table).overrides!.flatMap((override, position): Issue[] => {
      const { companionOf, skip } = override;
      if (companionOf === undefined || skip) return [];
      const isCompanion = isCompanionsKind(accessibilityOf(override));
      if (isCompanion && wheelchairs.has(companionOf)) return [];
      const message = isCompanion
        ? `The chart has no wheelchair place ${companionOf}.`
        : 'Only a companion place has a wheelchair place. Give this place the kind companion.';
      return [{ path: `${path}.overrides.${position}.companionOf`, message, objectId: object.id }];
    }),
  );
}

const wheelchair = 1 << accessibilityKinds.indexOf('wheelchair');
const namesWheelchair = ({ companionOf }: Override): boolean => companionOf !== undefined;
const isWheelchairOverride = (override: Override): boolean => (accessibilityOf(override) & wheelchair) !== 0;

/** The labels of an area's places contain its id, with three characters for every byte of a character beyond ASCII. */
function labelLengthIssues(object: Seller, path: string, places: readonly Place[]): Issue[] {
  const isTooLong = ({ label }: { label: string }): boolean => label.length > unitLabelLengthMax;
  const why = `at most ${unitLabelLengthMax} characters, or no call could name it.`;
  const issues: Issue[] = [];
  if (object.type !== 'gaArea') {
    if (places.some(isTooLong)) issues.push({ path: `${path}.label`, message: `The label of a place has ${why}` });
    return issues;
  }
  if (isTooLong(object)) issues.push({ path: `${path}.label`, message: `The label of an area has ${why}` });
  if (places.some(isTooLong)) {
    issues.push({ path: `${path}.id`, message: `The label of a place, made of its area's id, has ${why}` });
  }
  return issues;
}

function duplicateText(object: Seller, { object: other, label, more }: Shared): string {
  const rest = more > 0 ? ` (and ${more} more)` : '';
  const owner = other.id === object.id ? `another place of ${nameIn(other)}` : nameIn(other);
  return `Duplicate label: ${label}${rest} is already a label of ${owner}.`;
}

function alikeText(object: Seller, { object: other, label, other: look, more }: Shared): string {
  const rest = more > 0 ? ` (and ${more} more)` : '';
  const owner = other.id === object.id ? 'another place' : 'a label';
  return (
    `Labels that look the same: ${spelled(label)}${rest} looks like ${spelled(look)}, ${owner} of ${nameIn(other)}. ` +
    'Nobody could tell the tickets apart.'
  );
}

/** With the letters that a reader cannot see, or takes for others. */
function spelled(label: string): string {
  const codes = Array.from(label)
    .filter((letter) => !/[!-~]/.test(letter))
    .map((letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  return codes.length === 0 ? label : `“${label}” (${[...new Set(codes)].slice(0, 3).join(', ')})`;
}

const kindNames = { row: 'row', table: 'table', booth: 'booth', gaArea: 'area' } as const;

/** A row by its label, as people know it. */
const nameIn = ({ type, label }: Seller): string => `${kindNames[type]} ${label}`;
