/** Sections and categories that a drawing tells by the names of its groups and by its colours alone. */
import { countOf, type Notes } from '../report.ts';
import type { FoundSeat } from '../venue.ts';

/** First words of names of parts of a house, in lower case. */
const PARTS = new Set(
  (
    'parkett hochparkett parterre parquet orchestra orchester orchestre stalls balcony balkon balcon balcone balcón circle gallery galerie ' +
    'galleria galeria galería loge logen loges loggia lodge box palco palchi palcos platea patio tribune tribüne tribuna stand terrace ' +
    'mezzanine rang ränge range dress amphitheatre amphitheater amphithéâtre anfiteatro corbeille empore hochrang seitenrang mittelrang ' +
    'oberrang unterrang zaal партер балкон бельэтаж амфитеатр ложа ярус parter přízemí balkón balkon galerie lóže loża'
  ).split(' '),
);

const isPart = (name: string) => name.split(/[\s-]+/).some((word) => PARTS.has(word.toLowerCase()));

/** The section of the groups around a seat, from the outside in; null for none. */
function sectionIn(groups: readonly string[]): string | null {
  const at = groups.findIndex(isPart);
  return at === -1 ? (groups.at(-1) ?? null) : groups.slice(at).join(' ');
}

/** The sections by groups. A group around all seats of a drawing is none, unless it is named as a part of a house. */
export function sectionsByGroups(seats: readonly { groups: readonly string[] }[]): (string | null)[] {
  const sections = seats.map(({ groups }) => sectionIn(groups));
  const all = new Set(sections);
  const [only] = all;
  return all.size === 1 && only != null && !isPart(only) ? sections.map(() => null) : sections;
}

/** More colours are pictures rather than categories. */
const COLOURS_MAX = 24;

/** Seats without any category get one for each colour, if there are several. Returns the categories by their keys. */
export function categoriesByColour(
  seats: readonly { seat: FoundSeat; colour: string | null }[],
  notes: Notes,
): Map<string, { label: string; color: string }> {
  const found = new Map<string, { label: string; color: string }>();
  if (seats.some(({ seat }) => seat.categoryKey !== null)) return found;
  const colours = new Set(seats.map(({ colour }) => colour ?? '#000000'));
  if (colours.size < 2) return found;
  if (colours.size > COLOURS_MAX) {
    notes.leftOut('many_colours', `The seats have ${countOf(colours.size, 'colour')}, too many for categories.`);
    return found;
  }
  for (const { seat, colour } of seats) {
    const color = colour ?? '#000000';
    seat.categoryKey = `colour-${color.slice(1)}`;
    found.set(seat.categoryKey, { label: `Colour ${color}`, color });
  }
  const message = `The seats have no category in the file. Their ${countOf(colours.size, 'colour')} became categories. Give them names and prices; a colour may mean a kind of place instead.`;
  notes.ambiguous('category_from_colour', message);
  return found;
}
