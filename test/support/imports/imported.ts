/** Imports in tests: a file's text in, the document and its places by label out. */

import type { ChartDocument } from '@parterre/shared/charts/document';
import { type ImportFormat, type ImportReport, importChart } from '@parterre/shared/charts/imports/imports';
import { isSeller, type Place, partsOf, placesOf } from '@parterre/shared/charts/places';
import { expect } from 'vitest';

export type Drawn = { document: ChartDocument; report: ImportReport; places: Map<string, Place> };

/** Fails where the file cannot be imported, or where two places have one label. */
export function imported(text: string, format: ImportFormat | null = null): Drawn {
  const outcome = importChart(Buffer.from(text), { format, name: null });
  if (outcome.kind === 'failed') throw new Error(JSON.stringify(outcome.fault));
  return { ...outcome, places: placesIn(outcome.document) };
}

export function faultOf(bytes: string | Uint8Array, format: ImportFormat | null = null) {
  const outcome = importChart(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { format, name: null });
  if (outcome.kind === 'imported') throw new Error('The file was imported.');
  return outcome.fault;
}

export function placesIn(document: ChartDocument): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { objects } of partsOf(document)) {
    for (const place of objects.filter(isSeller).flatMap(placesOf)) {
      expect(places.has(place.label), `${place.label} stands twice`).toBe(false);
      places.set(place.label, place);
    }
  }
  return places;
}

/** How far the places are from where they should be, at most. Every place must be there. */
export function greatestDistance(
  places: Map<string, Place>,
  wanted: Iterable<[string, { x: number; y: number }]>,
): number {
  let greatest = 0;
  for (const [label, { x, y }] of wanted) {
    const place = places.get(label);
    expect(place, `there is no ${label}`).toBeDefined();
    greatest = Math.max(greatest, Math.hypot(place!.x - x, place!.y - y));
  }
  return greatest;
}

export function codesOf({ notes }: ImportReport): string[] {
  return notes.map(({ code }) => code);
}
