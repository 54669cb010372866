/** The room check of `npm run check`, on small trees of files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { roomFaults } from '../../../scripts/check/rooms.mjs';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A repository with these files below services/; a file is its list of statements. */
function tree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'parterre-rooms-'));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, 'services', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

const good = {
  'shop/src/main.ts': `import './till/till.ts';`,
  'shop/src/till/till.ts': `export { Price } from './price.ts';\nimport type { Shelf } from '../shelf/shelf.ts';`,
  'shop/src/till/price.ts': `import { config } from '../config.ts'; export type Price = number;`,
  'shop/src/shelf/shelf.ts': `import 'node:fs'; import '@parterre/shared/clock'; export type Shelf = { names: string[] };`,
  'shop/src/config.ts': '',
};

describe('the room check', () => {
  test('accepts rooms that import each other in one direction, through opening files', () => {
    expect(roomFaults(tree(good))).toEqual([]);
  });

  test.each([
    ['an import', `import { x } from '../till/price.ts';`],
    ['an import of a type', `import type { Price } from '../till/price.ts';`],
    ['a re-export', `export { Price } from '../till/price.ts';`],
    ['an import at run time', `await import('../till/price.ts');`],
  ])('names both files of %s past an opening file', (_, statement) => {
    const till = { 'shop/src/till/till.ts': `export { Price } from './price.ts';`, 'shop/src/till/price.ts': '' };
    const [fault, ...others] = roomFaults(tree({ 'shop/src/shelf/list.ts': statement, ...till }));
    expect(fault).toMatch(/^services\/shop\/src\/shelf\/list\.ts imports services\/shop\/src\/till\/price\.ts\./);
    expect(others).toEqual([]);
  });

  test('accepts imports of any file of a room without an opening file', () => {
    const files = { 'shop/src/shelf/list.ts': `import '../till/price.ts';`, 'shop/src/till/till.ts': 'let sold = 0;' };
    expect(roomFaults(tree({ ...files, 'shop/src/till/price.ts': '' }))).toEqual([]);
  });

  test('names the rooms and files of a circle, also of types, also through different files', () => {
    const circle = { 'shop/src/shelf/list.ts': `import type { Till } from '../till/till.ts';` };
    const faults = roomFaults(tree({ ...good, ...circle }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(
      /circle: shelf → till → shelf\..*list\.ts imports .*till\.ts.*till\.ts imports .*shelf\.ts/,
    );
  });

  test('knows the rooms inside the rules of the shard', () => {
    const files = {
      'inventory-shard/src/rules/turn/turn.ts': `export { a } from './apply.ts';\nimport '../state/seats.ts';`,
      'inventory-shard/src/rules/state/state.ts': `export { b } from './seats.ts';`,
      'inventory-shard/src/partition/partition.ts': `import '../rules/turn/apply.ts';`,
    };
    const faults = roomFaults(tree(files)).toSorted();
    expect(faults).toEqual([
      expect.stringContaining('Other rooms import rules/turn through rules/turn/turn.ts.'),
      expect.stringContaining('Other rooms import rules/state through rules/state/state.ts.'),
    ]);
  });

  test('lets rules import rules and shared alone, and rules of the front door the types of any file', () => {
    const files = {
      'frontdoor/src/till/rules/price.ts': `import type { Till } from '../till.ts';`,
      'frontdoor/src/till/rules/count.ts': `import { till } from '../till.ts';`,
      'frontdoor/src/till/till.ts': '',
      'shop/src/till/rules/price.ts': `import '../../shelf/rules/list.ts'; import '@parterre/shared/clock';`,
      'shop/src/shelf/rules/list.ts': `import type { Shelf } from '../shelf.ts';`,
      'shop/src/shelf/rules/count.ts': `import { shelf } from '../shelf.ts';`,
      'shop/src/shelf/shelf.ts': '',
    };
    expect(roomFaults(tree(files)).toSorted()).toEqual([
      expect.stringContaining('frontdoor/src/till/rules/count.ts imports services/frontdoor/src/till/till.ts.'),
      expect.stringContaining('shop/src/shelf/rules/count.ts imports services/shop/src/shelf/shelf.ts.'),
      expect.stringContaining('shop/src/shelf/rules/list.ts imports services/shop/src/shelf/shelf.ts.'),
    ]);
  });
});
