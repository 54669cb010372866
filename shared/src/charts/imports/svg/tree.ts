/**
 * Parses an SVG file into a small tree. Nothing in the file is run, loaded or resolved: scripts stay unread, declared
 * entities stay as they are written, and addresses are texts. Elements and their nesting are bounded.
 */
import { SaxesParser } from 'saxes';
import { countOf, type Notes, Unimportable } from '../report.ts';

export type SvgNode = {
  /** Without a namespace's prefix. */
  name: string;
  /** Names without the prefix of `xlink:`. */
  attributes: Record<string, string>;
  children: SvgNode[];
  /** The text between the tags, of text elements alone. */
  text: string;
};

const ELEMENTS_MAX = 1_000_000;
const NESTING_MAX = 256;
/** Characters of all style sheets. */
const STYLES_MAX = 2 ** 20;
/** Elements that are not drawn, and whose content is not read. */
const UNREAD = new Set([
  'script',
  'style',
  'metadata',
  'foreignObject',
  'title',
  'desc',
  'filter',
  'linearGradient',
  'radialGradient',
]);
const WITH_TEXT = new Set(['text', 'tspan', 'textPath', 'a']);

/** `css` has the text of the style sheets, one after the other. */
type Parsed = { root: SvgNode; css: string };

export function parseSvg(source: string, notes: Notes): Parsed {
  const builder = new TreeBuilder(notes);
  const parser = new SaxesParser({ position: true });
  const at = () => ({ line: parser.line, column: parser.column + 1 });
  parser.on('error', (error) => builder.fault(error.message, at()));
  parser.on('doctype', (text) => builder.doctype(text));
  parser.on('opentag', ({ name, attributes }) => builder.open(name, attributes as Record<string, string>, at()));
  parser.on('closetag', () => builder.close());
  parser.on('text', (text) => builder.text(text));
  parser.on('cdata', (text) => builder.text(text));
  parser.write(source).close();
  return builder.finish();
}

type At = { line: number; column: number };

class TreeBuilder {
  readonly #notes: Notes;
  readonly #open: SvgNode[] = [];
  #root: SvgNode | null = null;
  #elements = 0;
  /** Elements inside of an unread element. */
  #unreadDepth = 0;
  #isInStyle = false;
  #css = '';
  #entities = 0;
  #scripts = 0;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  fault(message: string, { line, column }: At): void {
    // A reference to an entity stays in the text as it is written.
    if (/entity/i.test(message)) {
      this.#entities++;
      return;
    }
    const reason = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    const told = `The file is not valid XML: ${reason} in line ${line}, column ${column}. Export the drawing again.`;
    throw new Unimportable({ code: 'broken_xml', message: told, line, column });
  }

  doctype(text: string): void {
    if (text.includes('[')) {
      this.#notes.leftOut(
        'entities',
        'The file declares entities. They were not resolved. Save the drawing as plain SVG if texts are missing.',
      );
    }
  }

  open(qualified: string, attributes: Record<string, string>, { line, column }: At): void {
    if (this.#unreadDepth > 0) {
      this.#unreadDepth++;
      return;
    }
    const name = qualified.slice(qualified.indexOf(':') + 1);
    if (name === 'script') this.#scripts++;
    if (UNREAD.has(name)) {
      this.#unreadDepth = 1;
      this.#isInStyle = name === 'style' && isForScreens(attributes);
      return;
    }
    if (++this.#elements > ELEMENTS_MAX) {
      throw new Unimportable({
        code: 'too_large',
        message: `The drawing has more than ${ELEMENTS_MAX} elements. Leave out its decoration.`,
        line,
      });
    }
    if (this.#open.length >= NESTING_MAX) {
      const message = `The elements of line ${line} nest more than ${NESTING_MAX} levels deep. Ungroup them.`;
      throw new Unimportable({ code: 'too_large', message, line, column });
    }
    const node: SvgNode = { name, attributes: plain(attributes), children: [], text: '' };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(node);
    else this.#root ??= node;
    this.#open.push(node);
  }

  close(): void {
    if (this.#unreadDepth > 0) {
      this.#unreadDepth--;
      // Sheets stay apart.
      if (this.#isInStyle && this.#unreadDepth === 0) this.#css += '\n';
      return;
    }
    const node = this.#open.pop();
    const parent = this.#open.at(-1);
    // A text has one line for us, whatever its parts.
    if (node && parent && WITH_TEXT.has(node.name) && WITH_TEXT.has(parent.name)) parent.text += ` ${node.text}`;
  }

  text(text: string): void {
    if (this.#isInStyle && this.#unreadDepth === 1) this.#css += text;
    const node = this.#open.at(-1);
    if (this.#unreadDepth === 0 && node && WITH_TEXT.has(node.name)) node.text += text;
  }

  finish(): Parsed {
    if (this.#css.length > STYLES_MAX) {
      this.#notes.leftOut(
        'style_sheets',
        `The style sheets are longer than ${STYLES_MAX} characters. They were not read.`,
      );
      this.#css = '';
    }
    if (this.#scripts > 0)
      this.#notes.leftOut('scripts', `${countOf(this.#scripts, 'script')}. Nothing of them was run.`);
    if (this.#entities > 0) {
      const message = `${countOf(this.#entities, 'reference')} to entities. They stand in texts as they are written.`;
      this.#notes.leftOut('entity_references', message);
    }
    const root = this.#root;
    if (root?.name === 'svg') return { root, css: this.#css };
    throw new Unimportable({
      code: 'unknown_format',
      message: `The file is XML, but its outermost element is ${root?.name ?? 'missing'}. An SVG drawing starts with svg.`,
    });
  }
}

function isForScreens({ media, type }: Record<string, string>): boolean {
  return /^(all|screen)?$/i.test(media ?? '') && /^(text\/css)?$/i.test(type ?? '');
}

function plain(attributes: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) kept[name.replace(/^xlink:/, '')] = value;
  return kept;
}
