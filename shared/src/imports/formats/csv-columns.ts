/** The columns of a CSV file of seats, under the names that people give them. */
import { quoted, Unimportable } from '../report.ts';

export type Column =
  | 'floor'
  | 'section'
  | 'row'
  | 'seat'
  | 'label'
  | 'displayLabel'
  | 'x'
  | 'y'
  | 'category'
  | 'accessible'
  | 'view'
  | 'restricted';

/** Names in lower case, without spaces, accents and signs. */
const names: Record<Column, readonly string[]> = {
  floor: ['floor', 'level', 'etage', 'geschoss'],
  section: ['section', 'sectionlabel', 'sectionname', 'block', 'sector', 'zone', 'bereich', 'seccion', 'secteur'],
  row: ['row', 'rowlabel', 'rowname', 'rownumber', 'rowno', 'reihe', 'rang', 'rangee', 'fila', 'table'],
  seat: [
    'seat',
    'seatnumber',
    'seatno',
    'seatname',
    'number',
    'no',
    'nr',
    'chair',
    'platz',
    'sitz',
    'sitzplatz',
    'siege',
    'place',
    'asiento',
  ],
  label: ['label', 'seatlabel', 'fulllabel'],
  displayLabel: ['displaylabel', 'displayedlabel', 'displayname'],
  x: ['x', 'posx', 'xpos', 'positionx', 'xposition', 'cx', 'left'],
  y: ['y', 'posy', 'ypos', 'positiony', 'yposition', 'cy', 'top'],
  category: [
    'category',
    'categorykey',
    'categorylabel',
    'categoryname',
    'cat',
    'pricecategory',
    'pricelevel',
    'kategorie',
    'preiskategorie',
    'categorie',
    'categoria',
  ],
  accessible: ['accessible', 'accessibility', 'wheelchair', 'wheelchairaccessible', 'barrierefrei', 'rollstuhl'],
  view: ['view', 'viewurl', 'viewfromseat', 'viewfromseaturl'],
  restricted: ['restricted', 'restrictedview', 'sichtbehinderung'],
};

const columnOf = new Map(Object.entries(names).flatMap(([column, all]) => all.map((name) => [name, column as Column])));

export type Columns = { at: Map<Column, number>; unknown: string[] };

/** Reads the first line. Throws `Unimportable` where it does not name seats. */
export function readHeader(cells: readonly string[]): Columns {
  const at = new Map<Column, number>();
  const unknown: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const column = columnOf.get(plainName(cell));
    if (column === undefined || at.has(column)) unknown.push(cell.trim());
    else at.set(column, index);
  }
  const isNamed = at.has('label') || (at.has('seat') && (at.has('row') || at.has('section')));
  if (isNamed) return { at, unknown: unknown.filter((name) => name !== '') };
  throw new Unimportable({
    code: 'unknown_format',
    message:
      `The first line is ${quoted(cells.join(', '))}. It must name the columns: row and seat, and if you have them ` +
      'section, x, y, category and accessible.',
    line: 1,
  });
}

function plainName(cell: string): string {
  return cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}]/gu, '');
}
