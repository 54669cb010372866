import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { compilePlan, draftSeatTotal } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { publishIssues } from '@parterre/shared/charts/publish-issues';
import {
  documentOf,
  drawTemplate,
  type Sizes,
  type Template,
  templates,
  usualSizes,
} from '@parterre/shared/charts/templates/templates';
import { chartBodyBytesMax } from '@parterre/shared/protocol/limits';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const seatsMax = 100_000;
const drawnRuns = 12;
const wheelchairBit = 1 << accessibilityKinds.indexOf('wheelchair');

const sizesAt = (template: Template, which: 'min' | 'max'): Sizes =>
  Object.fromEntries(template.sizes.map((size) => [size.name, size[which]]));

const anySizes = (template: Template) =>
  fc.record(Object.fromEntries(template.sizes.map(({ name, min, max }) => [name, fc.integer({ min, max })])));

/** It publishes, its seats lie apart, each category has places, and a wheelchair has one. */
function plainlyGood(document: ChartDocument): void {
  expect(publishIssues(document)).toEqual([]);
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  const total = draftSeatTotal(document);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(seatsMax);
  const plan = compilePlan(document, 'hash');
  expect(seatsThatTouch(plan)).toEqual([]);
  expect(rowsInWrongSections(plan)).toEqual([]);
  const shown = new Map(document.objects.map((object) => [object.id, object.displayLabel]));
  for (const { id, label, name, section } of plan.objects) {
    const prefix = `${plan.sections[section]!.label}-`;
    expect(name).toBe(label.startsWith(prefix) ? label.slice(prefix.length) : label);
    expect(shown.get(id) ?? label).toBe(name);
  }
  expect(new Set(plan.categoryOfUnit).size).toBe(document.categories.length);
  expect(plan.accessibilityOfUnit.some((bits) => (bits & wheelchairBit) !== 0)).toBe(true);
}

/** A row's label begins with the label of its section, where the venue has sections. */
function rowsInWrongSections({ objects, sections }: Plan): string[] {
  const named = objects.filter(({ type }) => type === 'row' && sections.length > 1);
  return named.filter(({ label, section }) => !label.startsWith(`${sections[section]!.label}-`)).map(({ id }) => id);
}

/** Pairs of seats closer than the width of a seat. */
function seatsThatTouch({ x, y, labels, objects, objectOfUnit }: Plan): string[] {
  const cell = 16;
  const taken = new Map<string, number>();
  const touching: string[] = [];
  for (let unit = 0; unit < labels.length; unit++) {
    if (objects[objectOfUnit[unit]!]!.type === 'gaArea') continue;
    const column = Math.floor(x[unit]! / cell);
    const row = Math.floor(y[unit]! / cell);
    for (const near of [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => taken.get(`${column + dx} ${row + dy}`)))) {
      if (near === undefined || Math.hypot(x[near]! - x[unit]!, y[near]! - y[unit]!) >= cell) continue;
      touching.push(`${labels.at(near)} and ${labels.at(unit)}`);
    }
    taken.set(`${column} ${row}`, unit);
  }
  return touching;
}

describe.each(templates.map((template) => [template.id, template] as const))('the template %s', (_, template) => {
  it('publishes in its smallest, usual and largest sizes, and no seat stands on another', () => {
    for (const sizes of [sizesAt(template, 'min'), usualSizes(template), sizesAt(template, 'max')]) {
      const document = documentOf(template, sizes);
      plainlyGood(document);
      expect(JSON.stringify(document).length).toBeLessThan(chartBodyBytesMax);
    }
  });

  it('publishes in any sizes, always the same', () => {
    fc.assert(
      fc.property(anySizes(template), (sizes) => {
        const document = documentOf(template, sizes);
        plainlyGood(document);
        expect(documentOf(template, sizes)).toEqual(document);
      }),
      { numRuns: drawnRuns },
    );
  });

  it('has prices and legible names of sizes', () => {
    const document = documentOf(template, usualSizes(template));
    expect(document.template).toEqual({ id: template.id, sizes: usualSizes(template) });
    for (const { price, color } of document.categories) {
      expect(price).toBeGreaterThan(0);
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
    }
    for (const size of template.sizes) {
      expect(size.label).not.toBe('');
      expect(size.min).toBeLessThanOrEqual(size.default);
      expect(size.default).toBeLessThanOrEqual(size.max);
    }
  });
});

it('the seven templates have names of their own', () => {
  expect(templates.map(({ id }) => id)).toEqual([
    'theatre',
    'arena',
    'stadium',
    'cabaret',
    'banquet',
    'classroom',
    'club',
  ]);
  expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length);
});

it('sizes of the caller replace the usual ones, and every fault of them is named', () => {
  const theatre = templates[0]!;
  const drawn = drawTemplate(theatre, { rows: 20 });
  expect(drawn).toMatchObject({ document: { template: { sizes: { ...usualSizes(theatre), rows: 20 } } } });
  const faulty = drawTemplate(theatre, { rows: 41, balconyRows: 2.5, seatsPerRow: '30', tables: 4 });
  expect(faulty).toEqual({
    issues: [
      { path: 'sizes.rows', message: 'Must be a whole number of 4 to 40.' },
      { path: 'sizes.balconyRows', message: 'Must be a whole number of 2 to 20.' },
      { path: 'sizes.seatsPerRow', message: 'Must be a whole number of 12 to 80.' },
      {
        path: 'sizes.tables',
        message: 'The template theatre has no size tables. Its sizes: rows, seatsPerRow, balconyRows.',
      },
    ],
  });
});
