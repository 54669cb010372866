/** The lines of an import of bookings: CSV and JSON become sales and faults, with the numbers of their lines. */
import { bookingImportLinesPerPiece } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { lineForm } from '../../../services/frontdoor/src/api/booking-imports.ts';
import { csvLines, jsonLines, pieces } from '../../../services/frontdoor/src/api/rules/booking-lines.ts';

const isArea = (label: string) => label === 'Floor';
const read = (lines: Parameters<typeof pieces>[0]) => [...pieces(lines, lineForm, isArea)].flat();
const csv = (text: string) => {
  const lines = csvLines(Buffer.from(text));
  if (!lines.ok) throw new Error(JSON.stringify(lines.refusal));
  return read(lines.value);
};

test('columns stand in any order, and empty cells count as left out', () => {
  const told = csv('\ufeffbookingRef;Label;price;buyerRef;seatColour\r\no-1;"A-1";40;anna;red\r\n\r\no-1;A-2;0;;\r\n');
  expect(told).toEqual([
    { line: 2, sale: { label: 'A-1', bookingRef: 'o-1', price: 40, buyerRef: 'anna' } },
    { line: 4, sale: { label: 'A-2', bookingRef: 'o-1', price: 0 } },
  ]);
});

test('quotes hold signs and line ends together, and a record has the number of its first line', () => {
  const told = csv('label,bookingRef,price\n"Box ""1"", left","o\n1",5\nA-1,o-2,6');
  expect(told).toEqual([
    { line: 2, sale: { label: 'Box "1", left', bookingRef: 'o\n1', price: 5 } },
    { line: 4, sale: { label: 'A-1', bookingRef: 'o-2', price: 6 } },
  ]);
});

test('a line that is no sale tells its column', () => {
  const told = csv('label,bookingRef,price\nA-1,o-1,12.50\n,o-1,1\nA-2,o-1,-1\nA-3,,1');
  expect(told.map((line) => ('sale' in line ? null : [line.line, line.code, line.message.split(':')[0]]))).toEqual([
    [2, 'invalid_line', 'price'],
    [3, 'invalid_line', 'label'],
    [4, 'invalid_line', 'price'],
    [5, 'invalid_line', 'bookingRef'],
  ]);
  const json = jsonLines(Buffer.from('{"label":"A-1"\n[]\n{"label":"A-1","bookingRef":"o","price":"1"}\n'));
  expect(read(json).map((line) => 'code' in line && line.code)).toEqual([
    'invalid_line',
    'invalid_line',
    'invalid_line',
  ]);
});

test('a seat stands once in a file, and each line of an area is a further place of its reference', () => {
  const line = (label: string, bookingRef: string) => JSON.stringify({ label, bookingRef, price: 1, channelId: null });
  const lines = [
    line('A-1', 'o-1'),
    line('Floor', 'o-1'),
    line('A-1', 'o-2'),
    line('Floor', 'o-2'),
    line('Floor', 'o-1'),
  ];
  expect(read(jsonLines(Buffer.from(lines.join('\n'))))).toEqual([
    { line: 1, sale: { label: 'A-1', bookingRef: 'o-1', price: 1 } },
    { line: 2, sale: { label: 'Floor', bookingRef: 'o-1', price: 1, nth: 1 } },
    { line: 3, code: 'label_repeated', message: 'Line 1 has this label too.' },
    { line: 4, sale: { label: 'Floor', bookingRef: 'o-2', price: 1, nth: 1 } },
    { line: 5, sale: { label: 'Floor', bookingRef: 'o-1', price: 1, nth: 2 } },
  ]);
});

test('a file without a needed column is refused, and every missing column is named', () => {
  const told = csvLines(Buffer.from('seat,bookingRef\nA-1,o-1'));
  expect(told).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
  expect(JSON.stringify(told)).toContain('"path":"label"');
  expect(JSON.stringify(told)).toContain('"path":"price"');
});

test('pieces are bounded by lines and by letters', () => {
  const rows = Array.from({ length: 2 * bookingImportLinesPerPiece + 1 }, (_, at) => ({
    line: at + 1,
    fields: { label: `A-${at}`, bookingRef: 'o', price: 1 },
  }));
  expect([...pieces(rows, lineForm, isArea)].map(({ length }) => length)).toEqual([500, 500, 1]);
  const long = rows
    .slice(0, 400)
    .map((row, at) => ({ ...row, fields: { ...row.fields, label: `${at}`.padEnd(500, 'x') } }));
  expect([...pieces(long, lineForm, isArea)].length).toBeGreaterThan(1);
});
