/** The columns of a CSV file of seats, under the names that people give them. */
import { type Notes, quoted, Unimportable } from '../report.ts';

export type Column =
  | 'floor'
  | 'section'
  | 'row'
  | 'seat'
  | 'seatLabel'
  | 'label'
  | 'displayLabel'
  | 'x'
  | 'y'
  | 'category'
  | 'price'
  | 'priceUnit'
  | 'accessible'
  | 'view'
  | 'restricted';

/** The best name first: of two columns with one meaning the import reads the column with the better name. */
const names: Record<Column, readonly string[]> = {
  floor: list(
    'floor, floor name, floor no, floor number, level, level name, storey, story, deck, etage, geschoss, stockwerk, ebene, étage, niveau, nivel, ' +
      'piso, planta, piano, livello, andar, pavimento, nível, verdieping, niveau, patro, podlaží, úroveň, poschodie, piętro, poziom, emelet, szint, etaj, ' +
      'kat, razina, våning, etasje, kerros, taso, korrus, stāvs, aukštas, этаж, уровень, поверх, ярус, όροφος, επίπεδο, 階, フロア, 楼层, 楼, 层, 樓層, 층, ' +
      'الطابق, طابق, קומה, ชั้น',
  ),
  section: list(
    'אזור, τομέας, τμήμα, διάζωμα, ζώνη, エリア, 区域, 區, 區域, 구획, 블록, القسم, منطقة, sekce, zóna, секція, блок, зона, סקטור, bölge, tribün, ' +
      'section, section label, section name, block, sector, area, bereich, sektor, sección, secteur, bloc, settore, setor, vak, ' +
      'sektion, sekcja, szektor, katsomo, сектор, секция, blok, bloque, bloco, bölüm, ブロック, 区, 구역, قسم, יציע, zone, zona, saalbereich, platzgruppe',
  ),
  row: list(
    'row, row label, row name, row number, row no, row nr, reihe, reihennummer, reihen-nr, reihe nr, reihenbezeichnung, rangée, ' +
      'n° de rangée, numéro de rangée, rang, n° de rang, numéro de rang, ligne, fila, número de fila, número de fila, fileira, riga, rij, rijnummer, ' +
      'rad, radnummer, række, rząd, řada, rada, rivi, sor, sıra, sira, ряд, σειρά, 列, 排, 열, صف, שורה, table, tisch, mesa, tavolo',
  ),
  seat: list(
    'seat, seat number, seat no, seat nr, seat num, seat name, chair, platz, platznummer, platz-nr, sitz, sitznummer, sitz-nr, sitzplatz, ' +
      'sitzplatznummer, siège, place, n° de place, nº de place, numéro de place, no de place, n° place, numéro de siège, n° de siège, fauteuil, ' +
      'asiento, número de asiento, butaca, nº de butaca, número de butaca, lugar, número do lugar, assento, posto, numero posto, poltrona, ' +
      'stoel, stoelnummer, zitplaats, plaats, plats, platsnummer, stol, plass, sete, sæde, plads, miejsce, numer miejsca, místo, sedadlo, ' +
      'miesto, paikka, szék, ülőhely, hely, koltuk, koltuk no, место, номер места, місце, θέση, 席, 席番, 座席, 座席番号, 番号, 座, 座位, 座号, 좌석, 좌석번호, مقعد, מושב, כיסא, ' +
      'number, nummer, numéro, número, numero, no, nr, n°, nº, num',
  ),
  seatLabel: list('seat label, seat id, sitzplatz-id, platz-id'),
  label: list('label, full label, full seat label'),
  displayLabel: list('display label, displayed label, display name'),
  x: list(
    'x, pos x, x pos, position x, x position, x coordinate, coordinate x, x coord, coord x, x-koordinate, koordinate x, coordonnée x, coordenada x, coordinata x, x-coördinaat, cx, left',
  ),
  y: list(
    'y, pos y, y pos, position y, y position, y coordinate, coordinate y, y coord, coord y, y-koordinate, koordinate y, coordonnée y, coordenada y, coordinata y, y-coördinaat, cy, top',
  ),
  category: list(
    'קטגוריה, κατηγορία, категорія, カテゴリ, カテゴリー, 席種, 类别, 類別, 등급, الفئة, فئة, ' +
      'category, category key, category label, category name, cat, price category, price level, price zone, kategorie, preiskategorie, ' +
      'preisgruppe, preisklasse, catégorie, catégorie de prix, categoría, categoria, categorie, prijscategorie, kategori, kategoria, категория, rangcategorie',
  ),
  price: list(
    'price, ticket price, seat price, unit price, list price, full price, price eur, price in eur, preis, ticketpreis, eintrittspreis, kartenpreis, ' +
      'normalpreis, einzelpreis, preis eur, preis in eur, preis in euro, preis chf, preis in chf, eintritt, prix, prix eur, prix en euros, prix unitaire, ' +
      'prix plein, precio, importe, preço, prezzo, prijs, cena, cena kč, cena zł, цена, стоимость, ціна, fiyat, ücret, ár, jegyár, pris, hinta, τιμή, ' +
      'kaina, hind, preț, pret, 価格, 料金, 値段, 价格, 票价, 價格, 票價, 가격, 요금, السعر, سعر, מחיר',
  ),
  priceUnit: list('price unit'),
  accessible: list(
    'accessible, accessibility, wheelchair, wheelchair accessible, barrierefrei, rollstuhl, rollstuhlplatz, rollstuhlgerecht, behindertengerecht, ' +
      'accessibilité, pmr, accès pmr, accesible, accesibilidad, accessibile, toegankelijk, rolstoel, acessível',
  ),
  view: list('view, view url, view from seat, view from seat url'),
  restricted: list(
    'restricted, restricted view, sichtbehinderung, sichtbehindert, eingeschränkte sicht, visibilité réduite, visibilidad reducida',
  ),
};

type Name = { column: Column; rank: number };

const nameOf = new Map<string, Name>();
for (const [column, all] of Object.entries(names) as [Column, readonly string[]][]) {
  for (const [rank, name] of all.entries())
    if (!nameOf.has(plainName(name))) nameOf.set(plainName(name), { column, rank });
}

const meanings: Record<Column, string> = {
  floor: 'the floor',
  section: 'the section',
  row: 'the row',
  seat: 'the seat',
  seatLabel: 'the label of the seat',
  label: 'the whole label',
  displayLabel: 'the displayed label',
  x: 'x',
  y: 'y',
  category: 'the category',
  price: 'the price',
  priceUnit: 'the unit of prices',
  accessible: 'accessibility',
  view: 'the view',
  restricted: 'a restricted view',
};

/** The index of each column in a line. */
export type Columns = ReadonlyMap<Column, number>;

/** The columns beside which a seat is a number. */
const LABELS: ReadonlySet<Column> = new Set(['row', 'section', 'label', 'seatLabel'] as const);

type Candidate = { rank: number; index: number; cell: string };

/** Reads the line that names the columns. Throws `Unimportable` where it does not name seats. */
export function readHeader(
  cells: readonly string[],
  { line, guess }: { line: number; guess: string | null },
  notes: Notes,
): Columns {
  const found = new Map<Column, Candidate[]>();
  const unknown: string[] = [];
  for (const [index, text] of cells.entries()) {
    const cell = text.trim();
    const name = nameOf.get(plainName(cell));
    if (name) {
      const candidates = found.get(name.column) ?? [];
      candidates.push({ rank: name.rank, index, cell });
      found.set(name.column, candidates);
    } else if (cell !== '') unknown.push(cell);
  }
  const at = new Map<Column, number>();
  // The id of a seat in another system is no label, where the seat has a number.
  const labels = found.get('seatLabel');
  if (found.has('seat') && labels && /id$/.test(plainName(best(labels).cell))) {
    found.delete('seatLabel');
    for (const { cell } of labels) unknown.push(cell);
  }
  for (const [column, candidates] of found) at.set(column, best(candidates).index);
  // A column of seats alone may have whole labels, such as `ORCH-A-12`.
  if (at.has('seat') && ![...at.keys()].some((column) => LABELS.has(column))) {
    at.set('seatLabel', at.get('seat')!);
    at.delete('seat');
    const message = `The column ${quoted(cells[at.get('seatLabel')!]!.trim())} was read as whole labels, as Stalls-A-12, because no column names the rows.`;
    notes.ambiguous('seat_codes', message);
  }
  const isNamed = at.has('label') || at.has('seatLabel') || (at.has('seat') && (at.has('row') || at.has('section')));
  if (!isNamed) throw noSeats(cells, line, guess);
  for (const [column, candidates] of found) tellOthers(column, candidates, at, notes);
  for (const name of unknown) notes.leftOut('unknown_column', `The column ${quoted(name)}.`, { source: name });
  return at;
}

/** Cells that name a column. */
export function knownNamesIn(cells: readonly string[]): number {
  return cells.filter((cell) => nameOf.has(plainName(cell))).length;
}

function best(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((better, each) => (each.rank < better.rank ? each : better));
}

/** The columns whose meaning another column has. A tier ("Rang") beside the row is the section. */
function tellOthers(column: Column, candidates: readonly Candidate[], at: Map<Column, number>, notes: Notes): void {
  const { index, cell: read } = best(candidates);
  for (const other of candidates) {
    if (other.index === index) continue;
    const of = { source: other.cell };
    if (column === 'row' && plainName(other.cell) === 'rang' && !at.has('section')) {
      at.set('section', other.index);
      const message = `The column ${quoted(other.cell)} was read as the section, because ${quoted(read)} names the row.`;
      notes.ambiguous('column_meaning', message, of);
    } else {
      const message = `The columns ${quoted(read)} and ${quoted(other.cell)} both name ${meanings[column]}. The import read ${quoted(read)} and left the other out.`;
      notes.ambiguous('two_columns', message, of);
    }
  }
}

export function noSeats(cells: readonly string[], line: number, guess: string | null): Unimportable {
  const message =
    `The first line is ${quoted(cells.join(', '))}. It must name the columns: row and seat, and if you have them ` +
    'section, x, y, category and accessible.' +
    (guess === null ? '' : ` If its letters are wrong, the encoding is the cause: the file was read as ${guess}.`);
  return new Unimportable({ code: 'unknown_format', message, line });
}

function list(text: string): string[] {
  return text.split(', ');
}

/** In lower case, without spaces, accents and signs. */
function plainName(cell: string): string {
  return cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}]/gu, '');
}
