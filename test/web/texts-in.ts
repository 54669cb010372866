/** Texts for people in a source file, by its syntax: none may stand outside the picker's messages. */
import { parseSync } from 'oxc-parser';

type Node = { type: string; [field: string]: unknown };

const hole = '\u0001';
const readAttributes = /\b(?:aria-label|aria-description|aria-roledescription|title|alt|placeholder)="([^"]*)"/g;
const word = /\p{L}{2,}/u;
/** Words of code that look like words for people. */
const codeWords = new Set([
  'Authorization',
  'Date',
  'Ctrl',
  'Bearer',
  'Enter',
  'Escape',
  'Home',
  'End',
  'Infinity',
  'Tab',
  'Space',
  'Delete',
  'Backspace',
]);

export function textsIn(file: string, code: string): string[] {
  const found: string[] = [];
  walk(parseSync(file, code).program as unknown as Node, found);
  return found.map((text) => `${file}: ${text}`);
}

function walk(node: Node, found: string[]): void {
  if (node.type === 'ImportDeclaration' || node.type === 'ThrowStatement' || node.type.startsWith('TS')) return;
  if (node.type === 'TaggedTemplateExpression' && (node.tag as Node).name === 'html') {
    found.push(...textsOfHtml(partsOf(node.quasi as Node).join(hole)));
    for (const each of (node.quasi as Node).expressions as Node[]) walk(each, found);
    return;
  }
  if (node.type === 'Literal' && typeof node.value === 'string') found.push(...sentences(node.value));
  if (node.type === 'TemplateLiteral') found.push(...partsOf(node).flatMap(sentences));
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === 'object' && 'type' in child) walk(child as Node, found);
    }
  }
}

const partsOf = (template: Node): string[] =>
  (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);

function textsOfHtml(markup: string): string[] {
  const labels = [...markup.matchAll(readAttributes)].map(([, text]) => text!);
  const outside = markup.replace(/<[^>]*>/g, hole).split(hole);
  return [...labels.flatMap((each) => each.split(hole)), ...outside]
    .map((each) => each.trim())
    .filter((each) => word.test(each));
}

/** A sentence, a part of one, or a capitalised word. */
function sentences(text: string): string[] {
  const told = text.trim();
  const isSentence = /\p{L}{2,}[^/]*[.!?…]$/u.test(told) && /^\p{Lu}|\s/u.test(told);
  const isPhrase = /^\p{Lu}\p{L}+[,:]? (.* )?\p{L}{2,}/u.test(told);
  const isWord = /^\p{Lu}\p{Ll}{2,}$/u.test(told) && !codeWords.has(told);
  return isSentence || isPhrase || isWord ? [told] : [];
}
