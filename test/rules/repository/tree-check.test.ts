/** The checks of `npm run check` on functions and comments, over small trees of files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commentFaults } from '../../../scripts/check/comments.mjs';
import { functionFaults } from '../../../scripts/check/functions.mjs';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function tree(files: Record<string, string>): [root: string, files: string[]] {
  const root = mkdtempSync(join(tmpdir(), 'parterre-tree-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [root, Object.keys(files).filter((file) => file.endsWith('.ts'))];
}

const list = 'scripts/check/long-functions.json';
/** A function of `lines` lines of code, most of them in a function inside it. */
const long = (lines: number) =>
  `export function sell() {\n  return () => {\n${'    // why\n\n    buy();\n'.repeat(lines - 4)}  };\n}\n`;

it('counts the lines of code of a function with the functions inside it', () => {
  expect(functionFaults(...tree({ [list]: '{}', 'a/shop.ts': long(70) }))).toEqual([]);
  expect(functionFaults(...tree({ [list]: '{}', 'a/shop.ts': long(71) }))).toEqual([
    'a/shop.ts: sell has 71 lines. At most 70 are allowed.',
  ]);
});

it('lets a listed function shrink and never grow', () => {
  const listed = { [list]: '{ "shop.ts sell": 80 }' };
  expect(functionFaults(...tree({ ...listed, 'a/shop.ts': long(80) }))).toEqual([]);
  expect(functionFaults(...tree({ ...listed, 'a/shop.ts': long(81) }))[0]).toContain('sell has 81 lines');
  expect(functionFaults(...tree({ ...listed, 'a/shop.ts': long(75) }))[0]).toContain('from 80 to 75');
  expect(functionFaults(...tree({ ...listed, 'a/shop.ts': long(70) }))[0]).toContain('remove "shop.ts sell"');
});

it('finds a comment that names a missing file, and a line that is wider than the page', () => {
  const comments = (text: string) => {
    const [root, files] = tree({ 'a/shop.ts': '', 'a/b/till.ts': text });
    return commentFaults(root, files, files);
  };
  expect(comments('// See shop.ts, b/till.ts and a/b/till.ts.\n')).toEqual([]);
  expect(comments('/* See b/shop.ts. */\n')).toEqual([
    'a/b/till.ts:1: the comment names b/shop.ts, and no such file exists.',
  ]);
  expect(comments(`// ${'w '.repeat(60)}\n`)[0]).toContain('Wrap it at 120');
});
