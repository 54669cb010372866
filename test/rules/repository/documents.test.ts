/** The documents: their links lead somewhere, the two front pages stay short, and every setting has its row. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { allBudgets } from '../../../services/frontdoor/src/admission/rules/budget.ts';
import { statusByCode } from '../../../shared/src/protocol/errors.ts';

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesOf = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', pattern], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
const pages = filesOf('*.md');

/** The name of a heading in an address, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function anchorsOf(page: string): string[] {
  const prose = text(page).replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
}

test.each(pages)('every relative link of %s leads to a file and a heading of the repository', (page) => {
  const broken = [...text(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(([, path, anchor]) => {
    const target = path === '' ? page : join(dirname(page), path!);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('every source file that a document names is there', () => {
  const files = filesOf('.');
  const isThere = (name: string): boolean => {
    const [start = '', end = ''] = name.split('*');
    return files.some((file) => `/${file}`.endsWith(end) && `/${file}`.includes(`/${start}`));
  };
  for (const page of pages) {
    const named = [...text(page).matchAll(/`([\w./*-]+\.(?:ts|mjs|yaml|sh|conf))`/g)].map(([, name]) => name!);
    expect({ page, missing: named.filter((name) => !isThere(name)) }).toEqual({ page, missing: [] });
  }
});

test('the README has at most 120 lines, and the architecture at most 250', () => {
  const linesOf = (page: string): number => text(page).trimEnd().split('\n').length;
  expect(linesOf('README.md')).toBeLessThanOrEqual(120);
  expect(linesOf('ARCHITECTURE.md')).toBeLessThanOrEqual(250);
});

test('every page of docs/internals tells why not otherwise, and is linked from the architecture and the index', () => {
  const internals = pages.filter((page) => page.startsWith('docs/internals/'));
  expect(internals).toHaveLength(11);
  for (const page of internals) {
    const headings = text(page)
      .match(/^## .*$/gm)
      ?.slice(-2);
    expect(headings, page).toEqual([expect.stringMatching(/^## Why not/), '## Measured']);
    expect(text('ARCHITECTURE.md'), page).toContain(`(${page})`);
    expect(text('docs/README.md'), page).toContain(`(${page.slice('docs/'.length)})`);
  }
});

test('every environment variable of a config.ts has a row among the settings', () => {
  const readers = [
    ...filesOf('*config.ts').filter((file) => !file.startsWith('test/')),
    'shared/src/runtime/cluster-layout.ts',
    'shared/src/runtime/nats-access.ts',
  ];
  const variables = readers.flatMap((file) => text(file).match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:PORT|HOST)\b/g) ?? []);
  const settings = new Set([...variables].filter((name) => isSetting(name)));
  expect(settings.size).toBeGreaterThan(20);
  const rows = text('docs/settings.md')
    .match(/^\| .*$/gm)!
    .join('\n');
  expect([...settings].filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
});

test('the page of upgrades has the versions of the code', () => {
  const constantOf = (file: string, name: string) => new RegExp(`const ${name} = (\\d+)`).exec(text(file))![1]!;
  const versions = [
    ['Release', (JSON.parse(text('package.json')) as { version: string }).version],
    ['Form of the journal', constantOf('shared/src/protocol/journal/heads.ts', 'journalForm')],
    ['Snapshots', constantOf('services/inventory-shard/src/rules/turn/snapshot.ts', 'snapshotVersion')],
    ['Rosters of deadlines', constantOf('services/inventory-shard/src/journal/rosters.ts', 'rosterVersion')],
    ['Direct links', constantOf('shared/src/protocol/link/handshake.ts', 'linkVersion')],
    ['Tickets of sockets', constantOf('services/frontdoor/src/tickets/ticket-token.ts', 'VERSION')],
  ];
  const page = text('docs/upgrading.md');
  expect(versions.filter(([thing, version]) => !page.includes(`| ${thing} | ${version} |`))).toEqual([]);
});

/** The tables of docs/isolation.md: the use, the bound, the answer past it, and the names that set the bound. */
const boundRows = text('docs/isolation.md')
  .match(/^\| [^|]+ \| [^|]+ \| [^|]+ \| `.*` \|$/gm)!
  .map((row) => row.split(' | '))
  .map(([, bound, , names]) => ({ bound: bound!, names: [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!) }));

test('every request budget stands on the page of isolation with its limit and its window', () => {
  const windows = new Map([
    [MINUTE_MS, /a minute/],
    [10 * MINUTE_MS, /in ten minutes/],
    [60 * MINUTE_MS, /an hour/],
    [24 * 60 * MINUTE_MS, /a day/],
  ]);
  // This budget counts KiB, and the page tells MiB.
  const limitOf = ({ name, limit }: (typeof allBudgets)[number]): string =>
    name.startsWith('large-bodies') ? `${limit / 1_024} MiB` : limit.toLocaleString('en');
  const wrong = allBudgets.filter((budget) => {
    const row = boundRows.find(({ names }) => names.includes(budget.name));
    return !row?.bound.includes(limitOf(budget)) || !windows.get(budget.windowMs)!.test(row.bound);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('every name that sets a bound on the page of isolation is a budget, a setting or a constant of the code', () => {
  const sources = filesOf('*.ts').filter((file) => /^(shared|services)\//.test(file));
  const constants = new Set(sources.flatMap((file) => text(file).match(/(?<=^export const )\w+/gm) ?? []));
  const budgetNames = new Set(allBudgets.map(({ name }) => name));
  const settings = text('docs/settings.md');
  const names = boundRows.flatMap((row) => row.names);
  expect(names.length).toBeGreaterThan(40);
  const unknown = names.filter(
    (name) => !budgetNames.has(name) && !constants.has(name) && !settings.includes(`| \`${name}\``),
  );
  expect(unknown).toEqual([]);
});

/** Constants of the code are written in the same letters. */
const isSetting = (name: string): boolean => /^(PARTERRE|JOURNAL|INVENTORY|NATS|MONGODB|HEALTH|PORT$|HOST$)/.test(name);

test('the glossary lists each word once', () => {
  const rows = text('docs/glossary.md')
    .split('\n')
    .filter((line) => line.startsWith('| **'));
  const words = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word]) => word!));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

/** Names that say little: a second declaration would give one of them a second meaning. */
const wornNames = [
  ...['Asked', 'Chosen', 'Found', 'Given', 'Heard', 'Kept', 'Known', 'Made', 'Named', 'Own', 'Read', 'Seen', 'Sold'],
  ...['Told', 'Waiting', 'Line', 'Part', 'Pen', 'Place', 'Tier', 'StandingRefusals'],
];

test('no worn name is declared as a type twice', () => {
  const declaration = new RegExp(`^\\s*(?:export )?(?:type|interface|class) (${wornNames.join('|')})\\b(?=[ <])`, 'gm');
  const places = new Map<string, string[]>();
  for (const file of filesOf('*.ts')) {
    for (const [, name] of text(file).matchAll(declaration)) places.set(name!, [...(places.get(name!) ?? []), file]);
  }
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('docs/errors.md has every refusal code with its status, and no other', () => {
  const rows = [...text('docs/errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(rows)).toEqual(statusByCode);
  expect(rows).toHaveLength(Object.keys(statusByCode).length);
});
