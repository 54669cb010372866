/**
 * The labels of rows, tables, booths and areas in the chart. The labels of units must differ over the whole chart.
 * Where the same labels stand in several sections of a file, the label of the section comes first in all of them:
 * `A-1-12`.
 */
import { cleanText } from './reading.ts';
import { type Notes, quoted } from './report.ts';
import type { FoundSeller, FoundVenue } from './venue.ts';
import { isFoundSeller } from './venue.ts';

export type LabelOf = (item: FoundSeller) => string;

export function sectionLabels(venue: FoundVenue, notes: Notes): LabelOf {
  const withSection: LabelOf = ({ section, label }) => (section === null ? label : `${section}-${label}`);
  if (venue.areSectionsInLabels) return withSection;
  const repeated = repeatedLabel(venue);
  if (repeated === null) return ({ label }) => label;
  notes.changed(
    'section_in_labels',
    `Several sections have the label ${quoted(repeated)}. Labels differ over the whole chart, so every label starts ` +
      'with its section, as A-1-12 for seat 12 of row 1 of section A.',
  );
  return withSection;
}

/** A label that stands in two sections; null if there is none. */
function repeatedLabel({ floors }: FoundVenue): string | null {
  const sectionOf = new Map<string, string | null>();
  for (const item of floors.flatMap(({ items }) => items)) {
    if (!isFoundSeller(item)) continue;
    for (const label of labelsOf(item)) {
      const other = sectionOf.get(label);
      if (other !== undefined && other !== item.section) return cleanText(label);
      sectionOf.set(label, item.section);
    }
  }
  return null;
}

function labelsOf(item: FoundSeller): string[] {
  const isByChair = item.type === 'row' || (item.type === 'table' && item.booking.mode === 'individual');
  if (!isByChair) return [item.label];
  return item.seats.map((seat) => seat.label ?? `${item.label}-${seat.number}`);
}
