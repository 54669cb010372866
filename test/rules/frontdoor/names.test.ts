/** Names that shops put into mail headers, tickets and lists: one line of visible text, in any script. */
import { expect, it } from 'vitest';
import { eventChangesBody } from '../../../services/frontdoor/src/api/events.ts';
import { name } from '../../../services/frontdoor/src/api/records.ts';
import { visibleText } from '../../../services/frontdoor/src/api/rules/visible-text.ts';

it.each([
  ['a NUL', 'Gala\u0000'],
  ['a line end', 'Gala\r\nBcc: all@example.com'],
  ['a tab', 'Gala\tnight'],
  ['an escape', '\u001b[31mGala'],
  ['a C1 control', 'Gala\u0085night'],
  ['a line separator', 'Gala\u2028night'],
  ['an override of direction', 'Gala \u202egnp.exe'],
  ['an embedding of direction', '\u202bGala'],
  ['an isolate without an end', 'Gala \u2067night'],
  ['half a surrogate pair', 'Gala \ud800'],
])('a name with %s is refused in a sentence', (_, text) => {
  expect(visibleText.safeParse(text).error?.issues[0]?.message).toContain('Must be one line of visible text');
  expect(name.safeParse(text).success).toBe(false);
  expect(eventChangesBody.safeParse({ name: text }).success).toBe(false);
  expect(eventChangesBody.safeParse({ venue: text }).success).toBe(false);
});

it.each([
  ['Arabic with a mark of direction', 'ليلة الافتتاح\u200f (2026)'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner', 'क्\u200dष'],
  ['an emoji of several people', '👩\u200d👧 family night'],
  ['accents in two forms', 'Café Cafe\u0301'],
])('a name of %s is kept as it is', (_, text) => {
  expect(name.parse(text)).toBe(text);
});
