/**
 * The texts of refusals, read from the sources of all services: each is made of sentences, and none carries the name of
 * an operation between services or the words of another library's error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

// biome-ignore lint/suspicious/noExplicitAny: a node of the syntax tree.
type Node = any;

it('A refusal is made of sentences and names no operation and no error of a library', () => {
  const texts = sources().flatMap((file) => refusalTexts(file).map((text) => ({ file, text })));
  expect(texts.length).toBeGreaterThan(200);
  const faulty = texts.filter(({ text }) => !SENTENCES.test(text) || INTERNAL.test(text));
  expect(faulty).toEqual([]);
});

/** `⟨…⟩` stands for a value. */
const SENTENCES = /^(\p{Lu}|⟨|capabilities |releaseAt |sectionStates ).+([.…]|⟨…⟩|⟨(why|result)⟩)$/su;
const INTERNAL = /⟨(operation|cause|error|[a-z.]*error\.message)⟩|\bNATS\b|MongoDB|JetStream|\bzod\b/i;

function sources(): string[] {
  return ['services', 'shared/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
}

/** The texts of `refuse(code, text)` and of issues, `{ path, message: text }`. */
function refusalTexts(file: string): string[] {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  const found: Node[] = [];
  walk(program, (node) => {
    if (node.type === 'CallExpression' && node.callee.name === 'refuse') found.push(node.arguments[1]);
    if (node.type !== 'ObjectExpression') return;
    const named = (name: string): Node => node.properties.find(({ key }: Node) => key?.name === name)?.value;
    if (named('path') && named('message')) found.push(named('message'));
  });
  return found.flatMap(textsOf);
}

function walk(node: Node, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string') visit(node);
  for (const child of Object.values(node)) walk(child, visit);
}

/** The possible texts of an expression. Names and calls give none. */
function textsOf(node: Node): string[] {
  switch (node?.type) {
    case 'Literal':
      return [String(node.value)];
    case 'TemplateLiteral':
      return [spelled(node)];
    case 'BinaryExpression':
      return textsOf(node.left).flatMap((left) => textsOf(node.right).map((right) => left + right));
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    default:
      return [];
  }
}

function spelled({ quasis, expressions }: Node): string {
  return quasis
    .map(
      ({ value }: Node, index: number) => value.cooked + (index < expressions.length ? nameOf(expressions[index]) : ''),
    )
    .join('');
}

function nameOf(node: Node): string {
  return node.type === 'Identifier' ? `⟨${node.name}⟩` : '⟨…⟩';
}
