/** News of other people's changes: they add up by people until they are read, in words that people know. */
import { expect, test } from 'vitest';
import type { TheirChange } from '../../../../web/designer/document/merge.ts';
import { designerWords } from '../../../../web/designer/messages/words.ts';
import {
  type News,
  type NewsEntry,
  noNews,
  peopleOf,
  withChanges,
  withCollisions,
} from '../../../../web/designer/saving/news.ts';
import { fieldName, fieldNames, namesOf, valueText } from '../../../../web/designer/saving/values.ts';
import { chart, gaArea, row, table } from '../../../support/charts.ts';

const change = (id: string, how: TheirChange['how'] = 'changed', ...fields: string[]): TheirChange => ({
  kind: 'object',
  id,
  how,
  fields,
  label: id.toUpperCase(),
  type: 'row',
});
const entry = (at: number, people: NewsEntry['people'], ...changes: TheirChange[]): NewsEntry => ({
  people,
  at,
  changes,
});
const after = (...entries: NewsEntry[]): News => entries.reduce(withChanges, noNews);
const listed = ({ entries }: News) =>
  entries.map(({ people, at, changes }) => [people.join('+'), at, ...changes.map(({ id, how }) => `${id} ${how}`)]);

test('later news keeps earlier news of other people, and joins that of the same people', () => {
  const news = after(
    entry(1, ['Ann'], change('a')),
    entry(2, ['Ben'], change('a')),
    entry(3, ['Ann'], change('b', 'added')),
  );
  expect(listed(news)).toEqual([
    ['Ben', 2, 'a changed'],
    ['Ann', 3, 'a changed', 'b added'],
  ]);
  expect(withChanges(news, entry(4, ['Cat']))).toBe(news);
});

test('changes of one thing become one, and a thing that came and went is none', () => {
  const of = (...hows: TheirChange['how'][]) =>
    listed(after(...hows.map((how, at) => entry(at, ['Ann'], change('a', how)))))
      .flat()
      .slice(2);
  expect(of('changed', 'deleted')).toEqual(['a deleted']);
  expect(of('added', 'changed')).toEqual(['a added']);
  expect(of('deleted', 'added')).toEqual(['a changed']);
  expect(of('added', 'deleted')).toEqual([]);
  const fields = after(entry(1, ['Ann'], change('a', 'changed', 'x')), entry(2, ['Ann'], change('a', 'changed', 'y')));
  expect(fields.entries[0]!.changes[0]!.fields).toEqual(['x', 'y']);
});

test('many groups of people share an entry, and no change is lost', () => {
  const groups = Array.from({ length: 50 }, (_, at) => entry(at, [`P${at}`], change(`row-${at}`)));
  const { entries } = after(...groups);
  expect(entries.length).toBe(20);
  expect(entries.flatMap(({ changes }) => changes)).toHaveLength(50);
  expect(entries.flatMap(({ people }) => people)).toHaveLength(50);
});

test('a label that stands twice is told once', () => {
  const one = { label: 'A-1', objectIds: ['a', 'b'] as const };
  const news = withCollisions(withCollisions(noNews, [one]), [one, { ...one, label: 'A-2' }]);
  expect(news.collisions.map(({ label }) => label)).toEqual(['A-1', 'A-2']);
});

test('people without a name are somebody else', () => {
  const words = designerWords();
  expect(
    namesOf(
      words,
      peopleOf([
        { at: 1, by: 'Ben' },
        { at: 2, by: null },
        { at: 3, by: 'Ann' },
        { at: 4, by: 'Ben' },
      ]),
    ),
  ).toBe('Ann, Ben, and Somebody else');
  expect(namesOf(words, peopleOf([]))).toBe('Somebody else');
});

test('fields and values are told in words', () => {
  const words = designerWords();
  const seats = row({
    seatNumbering: { direction: 'ltr', scheme: 'odd' },
    overrides: [{ index: 2, accessibility: ['wheelchair'], dx: 3 }],
  });
  const document = chart([seats, table(), gaArea()], { zones: [{ id: 'left', label: 'Left' }] });
  const value = (element: object, field: string) => valueText(words, document, element as never, field);
  expect(fieldName(words, 'overrides.2.accessibility', seats)).toBe('A-5: Accessibility');
  expect(value(seats, 'overrides.2.accessibility')).toBe('Wheelchair place');
  expect(value(seats, 'overrides.2.dx')).toBe('3');
  expect(value(seats, 'categoryKey')).toBe('Seat');
  expect(value(seats, 'origin')).toBe('0, 0');
  expect(value(seats, 'displayLabel')).toBe('nothing');
  expect(value(seats, 'seatNumbering')).toBe('1, 3, 5 … (odd)');
  expect(value(gaArea(), 'points')).toMatch(/^\d corners$/);
  expect(value({ zone: 'left' }, 'zone')).toBe('Left');
  expect(value({ url: 'data:image/gif;base64,R0lG' }, 'url')).toBe('Picture');
  expect(value({ bookAsWhole: true }, 'bookAsWhole')).toBe('yes');
  expect(value({ own: { deep: 1 } }, 'own')).toBe('a form of its own');
  expect(fieldNames(words, ['origin', 'center', 'label', 'overrides', 'own'], null)).toBe(
    'Place, Label, Single seats, and own',
  );
});
