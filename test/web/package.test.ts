/** The npm package tells the same as the picker: its types, its description of the element, its import on a server. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as elements from '../../web/package/console.ts';
import { attributesOf, connect, eventNames } from '../../web/package/props.ts';
import type * as told from '../../web/package/types/index.d.ts';
import { styles } from '../../web/src/looks/styles.ts';
import * as picker from '../../web/src/parterre.ts';

/** Each side takes the values of the other, so the types that are written by hand are those of the sources. */
type Takes<Wanted, Given extends Wanted> = Given;
type SameTypes = [
  Takes<picker.MapOptions, told.MapOptions>,
  Takes<told.MapOptions, picker.MapOptions>,
  Takes<told.ParterreMap, picker.ParterreMap>,
  Takes<told.ParterreMapElement, picker.ParterreMapElement>,
  Takes<Parameters<typeof picker.createMap>, Parameters<typeof told.createMap>>,
];

const source = new URL('../../web/src/', import.meta.url);
const sources = (): string[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, source), 'utf8'));

const manifest = JSON.parse(readFileSync(new URL('../../web/package/custom-elements.json', import.meta.url), 'utf8'));
const [element] = manifest.modules[0].declarations;
const namesIn = (list: { name: string }[]): string[] => list.map(({ name }) => name).sort();

test('an import without a browser defines nothing and fails nowhere', () => {
  const sameTypes: SameTypes | null = null;
  expect([sameTypes, globalThis.window]).toEqual([null, undefined]);
  expect(Object.keys(picker).sort()).toEqual(['ParterreMapElement', 'createMap']);
});

test('the description of the element names every attribute and event', () => {
  expect(namesIn(element.attributes)).toEqual([...picker.ParterreMapElement.observedAttributes].sort());
  expect(namesIn(element.events)).toEqual([...eventNames].sort());
});

test("the description and the page of the console's elements name every attribute and event", () => {
  const page = readFileSync(new URL('../../docs/back-office.md', import.meta.url), 'utf8');
  const told = [...page.matchAll(/^\| `(parterre-[a-z-]+)` \|/gm)].map(([, name]) => name!);
  for (const [index, { observedAttributes }] of [
    elements.ParterreControlRoomElement,
    elements.ParterreEventManagerElement,
  ].entries()) {
    const { attributes, events } = manifest.modules[1].declarations[index];
    expect(namesIn(attributes)).toEqual([...observedAttributes].sort());
    expect(namesIn(events)).toEqual(told.sort());
    for (const name of observedAttributes) expect(page).toContain(`| \`${name}\` |`);
  }
});

test('the page of the picker names every method, option and event', () => {
  const page = readFileSync(new URL('../../docs/picker.md', import.meta.url), 'utf8');
  const tableOf = (title: string) =>
    page
      .slice(page.indexOf(`| ${title} |`))
      .split('\n\n')[0]!
      .split('\n')
      .slice(2)
      .map((line) => line.split('|')[1]!);
  const code = readFileSync(new URL('map.ts', source), 'utf8');
  // The filter and the view are for the drawing's own tests, and the types do not have them.
  const own = [...code.matchAll(/^ {2}(?:async )?([a-z]\w*)\([^\n]*\{$/gm)].map(([, name]) => name!);
  const methods = own.filter((name) => !['constructor', 'setFilter'].includes(name));
  const namesOf = (cells: string[]) =>
    cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)/g)].map(([, name]) => name!));
  expect(namesOf(tableOf('Method')).sort()).toEqual(methods.sort());
  expect(namesOf(tableOf('Event')).sort()).toEqual([...eventNames].sort());
  const types = readFileSync(new URL('../../web/package/types/index.d.ts', import.meta.url), 'utf8');
  const options = types.slice(types.indexOf('export type MapOptions'), types.indexOf('/** Makes a map in'));
  const named = [...options.matchAll(/^ {2}(\w+)\??[:(]|\{ (?:event\?: undefined; )?(event|group): string/gm)];
  const expected = [...named.map(([, name, subject]) => (name ?? subject)!), 'access'];
  expect(namesOf(tableOf('Option')).sort()).toEqual(expected.sort());
});

test('the description and the page on looks name every custom property and every part', () => {
  const looks = readFileSync(new URL('../../docs/theming.md', import.meta.url), 'utf8');
  const code = sources().join('\n');
  const properties = [...new Set(styles.match(/--parterre-[a-z-]+/g)), '--parterre-section', '--parterre-stage'].sort();
  const spelled = [...code.matchAll(/ part="([^"]*)"|setAttribute\('part', '([^']*)'/g)];
  const parts = new Set(spelled.flatMap(([, names, name]) => (names ?? name!).match(/(?<![\w.])[a-z][a-z-]+/g) ?? []));
  for (const word of ['is', 'isPrimary']) parts.delete(word);
  expect(namesIn(element.cssProperties)).toEqual(properties);
  expect(namesIn(element.cssParts)).toEqual([...parts].sort());
  const explained = (form: RegExp) => [...looks.matchAll(form)].map(([, name]) => name!).sort();
  expect(explained(/^\| `(--parterre-[a-z-]+)` \|/gm)).toEqual(properties);
  expect(explained(/^\| `([a-z][a-z-]*)` \|/gm)).toEqual([...parts].sort());
});

test('a token that comes after the login reaches the element, and leaves it after the logout', async () => {
  const tokens: unknown[] = [];
  const element = {
    get token() {
      return (tokens.at(-1) ?? null) as told.ParterreMapElement['token'];
    },
    set token(token) {
      tokens.push(token);
    },
  } as told.ParterreMapElement;
  let props: told.ParterreMapProps = { event: 'night' };
  const meet = () => connect(element, props.token ? () => props : null);
  meet();
  expect(tokens).toEqual([]);
  props = { event: 'night', token: async () => 'first' };
  meet();
  props = { event: 'night', token: async () => 'second' };
  expect(await element.token!()).toBe('second');
  props = { event: 'night' };
  meet();
  expect([tokens.length, element.token]).toEqual([2, null]);
});

test('a token that the host sets on the element itself stays there without a token among the props', () => {
  const own = async () => 'own';
  const element = { token: own } as told.ParterreMapElement;
  connect(element, null);
  expect(element.token).toBe(own);
  connect(element, () => ({ event: 'night', token: async () => 'of the props' }));
  element.token = own;
  connect(element, null);
  expect(element.token).toBe(own);
});

test('props become attributes: switches without a value, and nothing for what is not given', () => {
  const props = {
    event: 'night',
    publicKey: 'pk_1',
    bearer: true,
    maxSelection: 4,
    locale: 'de',
    token: async () => '',
  };
  expect(attributesOf(props)).toEqual({
    event: 'night',
    'public-key': 'pk_1',
    bearer: '',
    'max-selection': '4',
    locale: 'de',
  });
  expect(attributesOf({ group: 'pg_1', bearer: false })).toEqual({ group: 'pg_1' });
});
