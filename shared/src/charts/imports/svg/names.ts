/**
 * The names of seats, rows and sections in a drawing. Data attributes count before the names that a person gave, and
 * those before ids. Drawing programs escape the signs of names, and number names that occur twice: this file undoes
 * both.
 */
import { cleanText } from '../reading.ts';
import type { SvgNode } from './tree.ts';

type Attributes = SvgNode['attributes'];

/** `told` says by what an element is a seat: data attributes, an id with the word seat, or the form of its id alone. */
export type SeatName = {
  section: string | null;
  row: string | null;
  seat: string;
  told: 'data' | 'word' | 'form';
  /** The name as it stands in the file, where a program numbered it. */
  numbered: string | null;
  /** The parts of an id whose order the places of the seats decide (order.ts). */
  parts?: readonly string[];
  /** The form alone would not make a seat of it: `12-A`, `1A`, `R3S12`. */
  isLoose?: true;
};

/** The names of the groups around an element, from the inside out, and the row that they name. */
export type Context = { row: string | null; groups: Groups | null };

type Groups = { names: readonly string[]; around: Groups | null };

type Name = { text: string; numbered: string | null };

/** Longer texts are no names. */
const NAME_LENGTH_MAX = 200;

const SEAT_NUMBER = /^\d{1,4}\p{Letter}?$/u;

const ROW_NAME = /^[\p{Letter}\p{Number}\p{Mark}]{1,16}$/u;

/** Texts that need no cleaning. */
const PLAIN_TEXT = /^[!-~]+$/;

const SEPARATORS = /[-_:. /]+/u;

/** Illustrator's number of a repeated name: `A-12_1_`. */
const ILLUSTRATOR_COPY = /^(.+?)_\d{1,6}_$/su;

/** Sketch's, in the languages of programs: `A-12-Copy-3`. */
const NAMED_COPY = /^(.+?)[-_ ](?:copy|kopie|copie|copia|cópia)(?:[-_ ]\d{1,6})?$/isu;

const COPY_WORD = /[ck][oó]p/iu;

/** Figma's and Inkscape's: `A-12_2`, `A-12-2`. Only where the name without the number stands in the file, too. */
const COPY_NUMBER = /^(.+)([-_])\d{1,6}$/su;

/** Elements of a drawn seat: the seat itself, its back, its number. A larger group is no seat by the form of its id. */
const SEAT_ELEMENTS_MAX = 40;

export class Names {
  /** The kinds of elements that have a name. */
  readonly #kindsOf = new Map<string, Set<string> | string>();
  readonly #isLoose: boolean;

  /** `isLoose`: ids of the doubtful forms are seats, too. */
  constructor(root: SvgNode, isLoose: boolean) {
    this.#isLoose = isLoose;
    const open = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      for (const name of rawNames(node.attributes)) this.#add(name, node.name);
      for (const child of node.children) open.push(child);
    }
  }

  #add(name: string, kind: string): void {
    const known = this.#kindsOf.get(name);
    if (known === undefined) this.#kindsOf.set(name, kind);
    else if (typeof known !== 'string') known.add(kind);
    else if (known !== kind) this.#kindsOf.set(name, new Set([known, kind]));
  }

  /** The seat that the element is; null if it is none. `isGroup`: the element holds others. */
  seatOf(node: SvgNode, context: Context, isGroup: boolean): SeatName | null {
    const { attributes } = node;
    const told = toldSeat(attributes);
    if (told) return isGroup && this.#hasOtherSeat(node, told, context) ? null : told;
    if (attributes['data-capacity'] !== undefined || attributes['inkscape:groupmode'] === 'layer') return null;
    const section = dataOf(attributes, 'data-section', 'data-section-label');
    const row = dataOf(attributes, 'data-row', 'data-row-label');
    for (const { text, numbered } of this.#namesOf(node, context)) {
      const found =
        seatIn(text, { isInRow: (row ?? context.row) !== null, isGroup }) ?? (this.#isLoose ? looseSeatIn(text) : null);
      if (!found) continue;
      const seat = { ...found, section: section ?? found.section, row: row ?? found.row, numbered };
      return isGroup && this.#hasOtherSeat(node, seat, context) ? null : seat;
    }
    return null;
  }

  /** Whether a group is more than one seat: another seat is inside, or too much for a seat. */
  #hasOtherSeat(group: SvgNode, seat: SeatName, context: Context): boolean {
    const inside = this.within(group, context);
    const open = [...group.children.slice(0, SEAT_ELEMENTS_MAX + 1)];
    let elements = 0;
    for (let node = open.pop(); node; node = open.pop()) {
      if (++elements > SEAT_ELEMENTS_MAX) return seat.told !== 'data';
      const other = node.name === 'text' ? null : this.#ownSeatOf(node, inside, seat.told);
      if (other && !isSame(seat, other)) return true;
      for (const child of node.children.slice(0, SEAT_ELEMENTS_MAX + 1)) open.push(child);
    }
    return false;
  }

  /** The seat by the name of the element alone. Inside of a seat that data tell, only data count. */
  #ownSeatOf(node: SvgNode, context: Context, by: SeatName['told']): SeatName | null {
    const told = toldSeat(node.attributes);
    if (told || by === 'data') return told;
    const isInRow = context.row !== null;
    for (const { text, numbered } of this.#namesOf(node, context)) {
      const found = seatIn(text, { isInRow, isGroup: false }) ?? (this.#isLoose ? looseSeatIn(text) : null);
      if (found) return { ...found, numbered };
    }
    return null;
  }

  /** The row and the names that a group gives its content. */
  within(group: SvgNode, context: Context): Context {
    return {
      row: this.rowOf(group, context) ?? context.row,
      groups: { names: rawNames(group.attributes), around: context.groups },
    };
  }

  rowOf(node: SvgNode, context: Context): string | null {
    const told = dataOf(node.attributes, 'data-row', 'data-row-label');
    if (told !== null) return told;
    for (const { text } of this.#namesOf(node, context)) {
      const words = text.split(/([-_ :]+)/u);
      const at = words.findIndex((word) => roleOf(word) === 'row');
      const named = at === -1 ? '' : words.slice(at + 2).join('');
      if (named !== '') return named;
    }
    return null;
  }

  sectionOf(node: SvgNode, context: Context): string | null {
    const told = dataOf(node.attributes, 'data-section', 'data-section-label');
    if (told !== null) return told;
    for (const { text } of this.#namesOf(node, context)) {
      const words = text.split(/([-_ :]+)/u);
      if (roleOf(words[0]!) !== 'section' || words.length < 3) continue;
      const end = words.findIndex((word, index) => index > 2 && (roleOf(word) === 'row' || /^outline$/i.test(word)));
      const named = spaced(words.slice(2, end === -1 ? undefined : end - 1).join(''));
      if (named !== '') return named;
    }
    return null;
  }

  /** The name of a group that may be a section: a word that is neither a program's nor one for all seats. */
  areaNameOf(group: SvgNode, context: Context): string | null {
    const name = spaced(this.givenNameOf(group, context) ?? '');
    const words = name.split(SEPARATORS);
    const isWord = words.some((word) => /^\p{Letter}{3,}/u.test(word));
    return isWord && !words.every(isWordForAll) && !isThing(words[0]!) ? name : null;
  }

  /** The name that a person gave; null for none, and for the name of a program. */
  givenNameOf(node: SvgNode, context: Context): string | null {
    const given = this.#namesOf(node, context).find(({ text }) => {
      const [first = ''] = text.split(SEPARATORS).filter((word) => word !== '');
      return /\p{Letter}/u.test(first) && !isGenerated(first);
    });
    return given?.text ?? null;
  }

  #namesOf(node: SvgNode, { groups }: Context): Name[] {
    return rawNames(node.attributes).map((name) => {
      const stem = this.#stemOf(name, node.name, groups);
      return stem === null ? { text: name, numbered: null } : { text: stem, numbered: name };
    });
  }

  /** The name without the number of a program; null where no program numbered it. */
  #stemOf(name: string, kind: string, groups: Groups | null): string | null {
    const copied = name.endsWith('_')
      ? ILLUSTRATOR_COPY.exec(name)
      : COPY_WORD.test(name)
        ? NAMED_COPY.exec(name)
        : null;
    if (copied) return copied[1]!;
    const [, stem, sign] = COPY_NUMBER.exec(name) ?? [];
    if (stem === undefined || !this.#isName(stem, kind) || isAround(stem, groups)) return null;
    // A word alone is the row of A-2 rather than its original, unless the numbers begin with 2.
    const isWord = !SEPARATORS.test(stem);
    if (isWord && (!/^\p{Letter}{3,}$/u.test(stem) || this.#kindsOf.has(`${stem}${sign}1`))) return null;
    return stem;
  }

  #isName(name: string, kind: string): boolean {
    const kinds = this.#kindsOf.get(name);
    return typeof kinds === 'string' ? kinds === kind : kinds?.has(kind) === true;
  }
}

type Role = 'seat' | 'row' | 'section';

const ROLES: Record<Role, string> = {
  seat: 'seat seats chair sitz sitzplatz platz stuhl siège siege place fauteuil asiento butaca posto poltrona stoel место',
  row: 'row reihe rangée rangee fila riga rij ряд',
  section: 'section sec sector block bereich sektor bloc secteur sección seccion settore vak сектор',
};

const roles = new Map(
  Object.entries(ROLES).flatMap(([role, words]) => words.split(' ').map((word) => [word, role as Role] as const)),
);

/** Whether the word says that a seat, a row or a section follows; null for other words. */
function roleOf(word: string): Role | null {
  return roles.get(word.toLowerCase()) ?? null;
}

const bare = (word: string) => (/\d/.test(word) ? word.replace(/\d+/g, '') : word);

/** Words that are names of rows when they are written in upper case: row G. */
const GENERATED_SHORT = new Set(['g', 'id', 'el']);

/** Words that drawing programs put into ids by themselves, in the languages of the programs. */
const GENERATED = new Set(
  (
    'path rect rectangle circle ellipse oval use group layer text tspan line polygon polyline svg image bitmap shape ' +
    'object element clip clippath mask gradient symbol instance component style defs item icon vector frame node ' +
    'linear radial filter pattern marker page artboard slice canvas star union subtract intersect exclude combined ' +
    'xmlid svgid fill stroke background bg arrow spiral curve compound drawing namedview metadata ' +
    // Layer
    'ebene calque couche capa livello laag camada слой warstwa vrstva lager lag taso réteg katman шар επίπεδο strat ' +
    'sloj plast sluoksnis slānis kiht geruza שכבה طبقة レイヤー 图层 圖層 레이어 ' +
    // Group, rectangle, ellipse, path, line
    'gruppe groupe grupo gruppo groep grupp grupa skupina группа グループ 编组 ' +
    'rechteck rectángulo rettangolo retângulo rechthoek rektangel prostokąt obdélník прямоугольник 長方形 矩形 ' +
    'kreis cercle círculo cerchio cirkel elipse ellisse ovaal эллипс 楕円形 椭圆 ' +
    'pfad tracé trazado tracciato caminho pad bana ścieżka контур パス 路径 linie ligne línea linea linha lijn'
  ).split(' '),
);

/** Words in the ids of drawings, in lower case and without digits. */
function isGenerated(word: string): boolean {
  const letters = bare(word);
  return GENERATED_SHORT.has(letters) || GENERATED.has(letters.toLowerCase());
}

function isAround(name: string, groups: Groups | null): boolean {
  for (let group = groups; group; group = group.around) if (group.names.includes(name)) return true;
  return false;
}

export function dataOf(attributes: Attributes, ...names: string[]): string | null {
  for (const name of names) {
    const text = attributes[name];
    const clean = text === undefined ? null : cleanText(text);
    if (clean !== null) return clean;
  }
  return null;
}

export function categoryNameOf(attributes: Attributes): string | null {
  return dataOf(attributes, 'data-category', 'data-category-key');
}

/** Inkscape and Illustrator keep the name of a person beside the id. */
function rawNames(attributes: Attributes): string[] {
  const texts = [attributes['inkscape:label'], attributes['data-name'], decoded(attributes.id)];
  const names: string[] = [];
  for (const text of texts) {
    if (text === undefined || text.length > NAME_LENGTH_MAX) continue;
    const name = PLAIN_TEXT.test(text) ? text : cleanText(text);
    if (name !== null && !names.includes(name)) names.push(name);
  }
  return names;
}

/** Illustrator writes a sign that no id may have by its number: `_x31_2` is 12. */
function decoded(id: string | undefined): string | undefined {
  if (id === undefined || id.length > NAME_LENGTH_MAX || !id.includes('_x')) return id;
  return id.replace(/_x([0-9A-F]{2,6})_/g, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code < 0x20 || code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
  });
}

function toldSeat(attributes: Attributes): SeatName | null {
  const seat = dataOf(attributes, 'data-seat', 'data-seat-number', 'data-seat-label');
  if (seat === null) return null;
  const section = dataOf(attributes, 'data-section', 'data-section-label');
  const row = dataOf(attributes, 'data-row', 'data-row-label');
  const parts = row === null ? foundIn(wordsOf(seat).parts, { isSeat: true, isInRow: false }) : null;
  const named = parts ?? { section: null, row, seat };
  return { section: section ?? named.section, row: named.row, seat: named.seat, told: 'data', numbered: null };
}

function isSame(seat: SeatName, other: SeatName): boolean {
  return seat.seat === other.seat && (seat.row === null || other.row === null || seat.row === other.row);
}

type SeatPosition = Pick<SeatName, 'section' | 'row' | 'seat' | 'parts'>;

/** `A-12`, `seat_A_12`, `Stalls-A-12`, `seat-12`, `A12`; `12` in a row. */
function seatIn(
  name: string,
  { isInRow, isGroup }: { isInRow: boolean; isGroup: boolean },
): (SeatPosition & { told: 'word' | 'form' }) | null {
  const { parts, isSeat, isRow, isSection } = wordsOf(name);
  // A name that begins with the word section, or has the word row, names a section or a row.
  if (!isSeat && (isSection || isRow) && (parts.length < 2 || (isGroup && isSection && !isRow))) return null;
  const found = foundIn(parts, { isSeat, isInRow });
  return found && { ...found, told: isSeat ? 'word' : 'form' };
}

/** `isSection`: the first word is one for sections. `parts` has the other words. */
type Words = { parts: string[]; isSeat: boolean; isRow: boolean; isSection: boolean };

function wordsOf(name: string): Words {
  const words: Words = { parts: [], isSeat: false, isRow: false, isSection: false };
  if (name.length > NAME_LENGTH_MAX) return words;
  let isFirst = true;
  for (const word of name.split(SEPARATORS)) {
    if (word === '') continue;
    const role = roleOf(word);
    if (role === null) words.parts.push(word);
    else if (role === 'seat') words.isSeat = true;
    else if (role === 'row') words.isRow = true;
    else if (isFirst) words.isSection = true;
    isFirst = false;
  }
  return words;
}

function foundIn(
  parts: readonly string[],
  { isSeat, isInRow }: { isSeat: boolean; isInRow: boolean },
): SeatPosition | null {
  const seat = parts.at(-1);
  if (seat === undefined || parts.length > 3) return null;
  const before = parts.slice(0, -1);
  if (before.length === 0) return joined(seat, isSeat || isInRow);
  if (!SEAT_NUMBER.test(seat) || !before.every((part) => ROW_NAME.test(part))) return null;
  if (!isSeat && (before.some(isGenerated) || (before.length === 1 && isThing(before[0]!)))) return null;
  return { section: before.length === 2 ? before[0]! : null, row: before.at(-1)!, seat, parts };
}

/** Things that stand in numbers beside the seats. */
const THINGS = new Set(
  (
    'stage exit entrance entry door doors stair stairs staircase step steps wall aisle bar lift elevator toilet wc ' +
    'emergency foyer window pillar column lamp plant sign logo number label title legend table screen ' +
    'bühne buehne ausgang eingang notausgang tür tuer treppe wand gang säule tisch theke fenster ' +
    'scène scene sortie entrée entree porte escalier mur issue ' +
    'escenario salida entrada puerta escalera pared mesa uscita ingresso porta scala palcoscenico tavolo'
  ).split(' '),
);

function isThing(word: string): boolean {
  return THINGS.has(bare(word).toLowerCase());
}

function joined(part: string, isNumberEnough: boolean): SeatPosition | null {
  const [, row, seat] = /^([A-Z]{1,2})(\d{1,3})$/.exec(part) ?? [];
  if (row !== undefined && seat !== undefined) return { section: null, row, seat };
  return isNumberEnough && SEAT_NUMBER.test(part) ? { section: null, row: null, seat: part } : null;
}

const spaced = (name: string) => name.replaceAll('_', ' ').trim();

/** Words of groups that hold the seats of the whole house. */
const WORDS_FOR_ALL = new Set(
  (
    'seats seating chairs places all plan map seatmap venue hall house theatre theater auditorium room rows numbers numbering labels ' +
    'text texts shapes objects areas sections blocks drawing design main sitze sitzplätze plätze platze stühle stuhle reihen saal saalplan ' +
    'sitzplan bestuhlung nummern beschriftung theatersaal sièges sieges fauteuils salle rangs numéros butacas asientos sala filas ' +
    'posti poltrone file stoelen zaal места зал'
  ).split(' '),
);

function isWordForAll(word: string): boolean {
  return WORDS_FOR_ALL.has(word.toLowerCase()) || /^\d*$/.test(word) || roleOf(word) !== null || isGenerated(word);
}

/** Short words before a number: `R3S12`, `Row3Seat12`, `r3p12`. */
const LOOSE_ROWS = new Set(['r', 'row', 'reihe', 'rang', 'fila', 'f', 'rij', 'ряд', 'р']);
const LOOSE_SEATS = new Set(['s', 'seat', 'p', 'platz', 'place', 'sitz', 'n', 'no', 'nr', 'место', 'м']);

/**
 * Forms that may mean something else in a drawing with better names: `seat-12-A`, `1A`, `R3S12`, `lower_box-Odd-1`.
 */
function looseSeatIn(name: string): (SeatPosition & { told: 'form'; isLoose: true }) | null {
  if (name.length > NAME_LENGTH_MAX) return null;
  const loose = { told: 'form', isLoose: true } as const;
  const [, first = '', one = '', second = '', two = ''] =
    /^(\p{Letter}{1,8})[-_ ]?(\d{1,3})[-_ ]?(\p{Letter}{1,8})[-_ ]?(\d{1,4})$/u.exec(name) ?? [];
  const [left, right] = [first.toLowerCase(), second.toLowerCase()];
  if (LOOSE_ROWS.has(left) && LOOSE_SEATS.has(right)) return { section: null, row: one, seat: two, ...loose };
  if (LOOSE_SEATS.has(left) && LOOSE_ROWS.has(right)) return { section: null, row: two, seat: one, ...loose };
  const { parts, isSection } = wordsOf(name);
  if (isSection || parts.length === 0 || isGenerated(parts[0]!)) return null;
  const [, row, seat] = parts.length === 1 ? (/^(\d{1,3})([A-Z]{1,2})$/.exec(parts[0]!) ?? []) : [];
  if (row !== undefined && seat !== undefined) return { section: null, row, seat, parts: [row, seat], ...loose };
  const isNumberFirst = /^\d{1,4}$/.test(parts[0]!) && parts.slice(1).every((part) => ROW_NAME.test(part));
  if (isNumberFirst && (parts.length === 2 || parts.length === 3)) {
    return { section: parts[2] ?? null, row: parts[1]!, seat: parts[0]!, parts, ...loose };
  }
  const pieces = name.split('-').map(spaced);
  if (parts.length < 4 || pieces.length !== 3 || !SEAT_NUMBER.test(pieces[2]!)) return null;
  return { section: pieces[0]!, row: pieces[1]!, seat: pieces[2]!, ...loose };
}
