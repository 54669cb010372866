/**
 * The styles of elements: the `style` attribute first, then the rules of style sheets, then the attribute of that name.
 * A rule names a class, an id or a kind of element. Rules with other selectors are not read, and the report names them.
 * The sheets are read in one pass, because a file may be hostile: a library's parser took 26 s for 50 kB of quotes.
 */
import { countOf, type Notes } from '../report.ts';
import type { SvgNode } from './tree.ts';

const PROPERTIES = ['display', 'visibility', 'fill', 'font-size', 'text-anchor'] as const;
export type Property = (typeof PROPERTIES)[number];

type Declarations = Map<Property, string>;

/** `weight` decides between the rules of one element. */
type Weighted = { value: string; weight: number };

const SELECTOR = /^([a-zA-Z]*|\*)([.#][\w\u0080-\uFFFF-]+)?$/;
/** Different `style` attributes whose declarations stay known. */
const KNOWN_STYLES_MAX = 10_000;

export class Styles {
  /** By selector: `circle.class`, `.class`, `#id`, `circle`; the empty text for rules of every element. */
  readonly #rules = new Map<string, Map<Property, Weighted>>();
  readonly #knownStyles = new Map<string, Declarations>();
  #count = 0;
  #unread = 0;

  constructor(css: string, notes: Notes) {
    if (css.trim() !== '') this.#readSheet(css);
    if (this.#unread === 0) return;
    const message = `${countOf(this.#unread, 'style rule')} that an import does not read. Colours may be missing, and hidden things may show.`;
    notes.leftOut('style_rules', message);
  }

  #readSheet(css: string): void {
    for (const { head, body } of blocksOf(withoutComments(css))) {
      if (body === null || (head.startsWith('@') && !/^@font-face$/i.test(head))) this.#unread++;
      else {
        const declarations = declarationsOf(body);
        if (declarations.size > 0) for (const selector of head.split(',')) this.#addRule(selector.trim(), declarations);
      }
    }
  }

  #addRule(selector: string, declarations: Declarations): void {
    const [, element, named = ''] = SELECTOR.exec(selector) ?? [];
    if (element === undefined) {
      this.#unread++;
      return;
    }
    const name = element === '*' ? '' : element;
    const rank = (named.startsWith('#') ? 4 : named === '' ? 0 : 2) + (name === '' ? 0 : 1);
    const weight = rank * 1e6 + this.#count++;
    const known = this.#rules.get(name + named) ?? new Map<Property, Weighted>();
    for (const [property, value] of declarations) known.set(property, { value, weight });
    this.#rules.set(name + named, known);
  }

  of(node: SvgNode, property: Property): string | undefined {
    const { attributes } = node;
    return this.#inStyle(attributes.style, property) ?? this.#inSheets(node, property) ?? attributes[property];
  }

  #inStyle(style: string | undefined, property: Property): string | undefined {
    if (style === undefined) return undefined;
    let known = this.#knownStyles.get(style);
    if (!known) {
      known = declarationsOf(style);
      if (this.#knownStyles.size >= KNOWN_STYLES_MAX) this.#knownStyles.clear();
      this.#knownStyles.set(style, known);
    }
    return known.get(property);
  }

  #inSheets({ name, attributes }: SvgNode, property: Property): string | undefined {
    if (this.#rules.size === 0) return undefined;
    const classes = (attributes.class ?? '').split(/\s+/).filter((each) => each !== '');
    let best: Weighted | undefined;
    for (const named of ['', `#${attributes.id ?? ''}`, ...classes.map((each) => `.${each}`)]) {
      for (const selector of [named, name + named]) {
        const found = this.#rules.get(selector)?.get(property);
        if (found && found.weight > (best?.weight ?? -1)) best = found;
      }
    }
    return best?.value;
  }
}

function withoutComments(css: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = css.indexOf('/*'); start !== -1; start = css.indexOf('/*', at)) {
    parts.push(css.slice(at, start));
    const end = css.indexOf('*/', start + 2);
    at = end === -1 ? css.length : end + 2;
  }
  return [...parts, css.slice(at)].join(' ');
}

/**
 * The blocks of a sheet; `body` is null where blocks stand inside of the block, and for a sheet that is to be loaded.
 */
function* blocksOf(css: string): Generator<{ head: string; body: string | null }> {
  let at = 0;
  let depth = 0;
  let isNested = false;
  let head = '';
  for (const { 0: sign, index } of css.matchAll(/[{};]/g)) {
    if (sign === '{' && depth++ > 0) isNested = true;
    else if (sign === '{') {
      head = css.slice(at, index).trim();
      at = index + 1;
    } else if (sign === '}' && depth > 0 && --depth === 0) {
      yield { head, body: isNested ? null : css.slice(at, index) };
      isNested = false;
    } else if (sign === ';' && depth === 0 && /^\s*@import/i.test(css.slice(at, index))) yield { head: '', body: null };
    if (depth === 0) at = index + 1;
  }
}

function declarationsOf(style: string): Declarations {
  const declarations: Declarations = new Map();
  for (const part of style.split(';')) {
    const colon = part.indexOf(':');
    const property = part.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = part.slice(colon + 1).replace(/!important\s*$/i, '');
    if (isProperty(property)) declarations.set(property, value.trim());
  }
  return declarations;
}

function isProperty(name: string): name is Property {
  return (PROPERTIES as readonly string[]).includes(name);
}
