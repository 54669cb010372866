/**
 * The styles of elements: the `style` attribute first, then the rules of style sheets, then the attribute of that name.
 * A rule names a class, an id or a kind of element. Rules with other selectors are not read, and told.
 */
import { parse } from '@adobe/css-tools';
import { countOf, type Notes } from '../../report.ts';
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
    for (const rule of sheetOf(css)) {
      if (rule.type === 'comment' || rule.type === 'font-face') continue;
      if (rule.type !== 'rule') {
        this.#unread++;
        continue;
      }
      const declarations: Declarations = new Map();
      for (const each of rule.declarations) {
        if (each.type !== 'declaration' || !isProperty(each.property)) continue;
        declarations.set(each.property, each.value.replace(/!important$/i, '').trim());
      }
      if (declarations.size > 0) for (const selector of rule.selectors) this.#addRule(selector, declarations);
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

type Sheet = ReturnType<typeof parse>['stylesheet']['rules'];

/** A sheet that nests too deep for the parser has no rules. */
function sheetOf(css: string): Sheet {
  try {
    return parse(css, { silent: true }).stylesheet.rules;
  } catch {
    return [];
  }
}

function declarationsOf(style: string): Declarations {
  const declarations: Declarations = new Map();
  for (const part of style.split(';')) {
    const colon = part.indexOf(':');
    const property = part.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (isProperty(property))
      declarations.set(
        property,
        part
          .slice(colon + 1)
          .replace(/!important$/i, '')
          .trim(),
      );
  }
  return declarations;
}

function isProperty(name: string): name is Property {
  return (PROPERTIES as readonly string[]).includes(name);
}
