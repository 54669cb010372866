/** Counts the things in a chart for the report of its import. */
import type { ChartDocument, ChartObject } from '../document.ts';
import { bookingModeOf, partsOf, placesOf, type Seller } from '../places.ts';
import type { ImportCounts } from './report.ts';

export function countsOf(document: ChartDocument): ImportCounts {
  const parts = partsOf(document);
  const objects = parts.flatMap((part) => part.objects);
  const of = <T extends ChartObject['type']>(type: T) =>
    objects.filter((object): object is Extract<ChartObject, { type: T }> => object.type === type);
  const seatsIn = (sellers: readonly Seller[]) => sellers.reduce((sum, seller) => sum + placesOf(seller).length, 0);
  const tables = of('table');
  return {
    floors: document.floors?.length ?? 1,
    sections: of('section').length,
    zones: document.zones?.length ?? 0,
    categories: document.categories.length,
    rows: of('row').length,
    seats: seatsIn(of('row')),
    tables: tables.length,
    chairs: tables.reduce(
      (sum, table) => sum + (bookingModeOf(table) === 'individual' ? placesOf(table).length : table.seatCount),
      0,
    ),
    booths: of('booth').length,
    areas: of('gaArea').length,
    places: of('gaArea').reduce((sum, { capacity }) => sum + capacity, 0),
    shapes: objects.filter(({ type }) => type === 'shape').length,
    texts: objects.filter(({ type }) => type === 'text').length,
    images: objects.filter(({ type }) => type === 'decorImage').length,
  };
}
