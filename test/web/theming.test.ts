/** docs/theming.md names every custom property and every part of the picker, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/launch/root.ts';
import { colourNames } from '../../web/src/looks/tokens.ts';

const page = readFileSync(join(root, 'docs/theming.md'), 'utf8');
const folder = join(root, 'web/src');
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

/** The first column of the page's tables. */
const named = (form: RegExp) => [...page.matchAll(form)].map(([, name]) => name!).sort();
const unique = (names: string[]) => [...new Set(names)].sort();

test('every custom property is explained', () => {
  const spelled = [...code.matchAll(/--parterre-([a-z]+(?:-[a-z]+)*)/g)].map(([, name]) => name!);
  expect(named(/^\| `--parterre-([a-z-]+)` \|/gm)).toEqual(unique([...colourNames, ...spelled]));
});

test('every part is explained', () => {
  const parts = [...code.matchAll(/\bpart="([^"$]*)/g)].flatMap(([, names]) => names!.split(' ').filter(Boolean));
  expect(named(/^\| `([a-z][a-z-]*)` \|/gm)).toEqual(unique([...parts, 'primary']));
});
