/** The places of a panorama: a row, a section or seats of the chart's draft. */

import { type ChartDocument, issuesMax, type Row, type Table } from '@parterre/shared/charts/document';
import { bookingModeOf, isSeller, partsOf, type Seller } from '@parterre/shared/charts/places';
import type { Panorama } from '@parterre/shared/protocol/catalog/charts';
import type { Issue } from '@parterre/shared/protocol/errors';

/** Every id that the chart does not have, and every id that two panoramas share; at most `issuesMax`. */
export function panoramaIssues(document: ChartDocument, panoramas: readonly Panorama[]): Issue[] {
  const objects = partsOf(document).flatMap(({ objects }) => objects);
  const sellers = new Map(objects.filter(isSeller).map((object) => [object.id, object]));
  const sections = new Set(
    objects.flatMap((object) => (object.type === 'section' ? [object.id, object.logicalSectionId] : [])),
  );
  const seen = new Set<string>();
  const issues: Issue[] = [];
  for (const [index, { id, rowId, sectionId, seatIds = [] }] of panoramas.entries()) {
    const path = `panoramas.${index}`;
    if (seen.has(id)) issues.push({ path: `${path}.id`, message: `Another panorama has the id ${id}.` });
    seen.add(id);
    if (rowId !== undefined && sellers.get(rowId)?.type !== 'row') {
      issues.push({ path: `${path}.rowId`, message: `The chart has no row ${rowId}.` });
    }
    if (sectionId !== undefined && !sections.has(sectionId)) {
      issues.push({ path: `${path}.sectionId`, message: `The chart has no section ${sectionId}.` });
    }
    for (const [position, seatId] of seatIds.entries()) {
      if (hasSeat(sellers, seatId)) continue;
      issues.push({ path: `${path}.seatIds.${position}`, message: `The chart has no seat ${seatId}.` });
    }
  }
  return issues.slice(0, issuesMax);
}

/** A seat, chair or booth is `{objectId}:{index}`. A whole table and a GA area have their own id. */
function hasSeat(sellers: ReadonlyMap<string, Seller>, seatId: string): boolean {
  const whole = sellers.get(seatId);
  if (whole && (whole.type === 'gaArea' || bookingModeOf(whole) !== 'individual')) return true;
  const [, objectId = '', digits = ''] = /^(.+):(0|[1-9]\d*)$/s.exec(seatId) ?? [];
  const object = sellers.get(objectId);
  if (!object || object.type === 'gaArea' || bookingModeOf(object) !== 'individual') return false;
  const index = Number(digits);
  return object.type === 'booth' ? index === 0 : index < object.seatCount && !isSkipped(object, index);
}

/** The last override of an index counts, as where seats are made. */
function isSkipped({ overrides = [] }: Row | Table, index: number): boolean {
  return overrides.findLast((override) => override.index === index)?.skip ?? false;
}
