/** Generated charts for properties that hold for any chart. */
import type { ChartDocument, Row } from '@parterre/shared/charts/document';
import fc from 'fast-check';
import { booth, chart, gaArea, row, table } from './charts.ts';

/** The ways to write the numbers of seats. */
export const numberingSchemes = [
  'decimal',
  'odd',
  'even',
  'roman',
  'letters-upper',
  'letters-lower',
  'updown',
  'updown-descending',
] as const;

/** Venues of mixed objects, each with its own id and label. */
export function anyVenue(): fc.Arbitrary<ChartDocument> {
  const overrides = fc.array(fc.record({ index: fc.nat(30), skip: fc.boolean() }), { maxLength: 4 });
  const scheme = fc.constantFrom(...numberingSchemes);
  const direction = fc.constantFrom('ltr', 'rtl', 'center');
  const seatCount = fc.integer({ min: 1, max: 25 });
  const object = fc.oneof(
    fc
      .record({
        seatCount,
        curve: fc.integer({ min: -90, max: 90 }),
        overrides,
        seatNumbering: fc.record({ scheme, direction }),
      })
      .map((each) => row(each as Partial<Row>)),
    fc.record({ seatCount, overrides, bookAsWhole: fc.boolean(), variableOccupancy: fc.boolean() }).map(table),
    fc.constant(booth()),
    fc.record({ capacity: fc.nat(40) }).map(gaArea),
  );
  return fc
    .array(object, { maxLength: 12 })
    .map((objects) => chart(objects.map((each, i) => ({ ...each, id: `object-${i}`, label: `L${i}` }))));
}
