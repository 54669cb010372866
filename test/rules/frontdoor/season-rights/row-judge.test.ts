/** The judgement of imported rows, and their way in pieces. */
import type { ImportRow } from '@parterre/shared/protocol/catalog/rights';
import { importRowsPerPiece } from '@parterre/shared/protocol/group-limits';
import { unitStatus } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { RowJudge, type Seats } from '../../../../services/frontdoor/src/api/rules/row-judge.ts';
import { judgedLines, judgedRows, piecesOf } from '../../../../services/frontdoor/src/api/season-rights.ts';

const row = (rowId: string, labels: string[], existingBookingRef: string | null = null): ImportRow => ({
  rowId,
  holderRef: 'holder',
  priorPlanActivationId: 'plan',
  priorContractRef: rowId,
  labels,
  existingBookingRef,
});
const seats: Seats = (label) => {
  if (label.startsWith('Z')) return null;
  if (label === 'held') return { status: unitStatus.held, bookedBy: null };
  if (label === 'blocked') return { status: unitStatus.blocked, bookedBy: null };
  if (label === 'booked') return { status: unitStatus.booked, bookedBy: 'order-1' };
  return { status: unitStatus.free, bookedBy: null };
};

test.each([
  ['seats that are free', [row('1', ['A-1', 'A-2'])], [null]],
  ['no seat', [row('1', [])], ['labels_missing']],
  ['a seat twice in a row', [row('1', ['A-1', 'A-1'])], ['label_repeated']],
  ['a seat of two rows', [row('1', ['A-1']), row('2', ['A-2', 'A-1'])], [null, 'seat_repeated']],
  ['a seat of a refused row', [row('1', ['A-1', 'Z-1']), row('2', ['A-1'])], ['label_not_found', null]],
  ['a name of two rows', [row('1', ['A-1']), row('1', ['A-2'])], [null, 'row_id_repeated']],
  ['a held seat', [row('1', ['held'])], ['seat_held']],
  ['a blocked seat', [row('1', ['A-1', 'blocked'])], ['seat_not_for_sale']],
  ['a booked seat', [row('1', ['booked'], 'order-2')], ['seat_booked']],
  ['a seat that the holder has booked', [row('1', ['booked'], 'order-1')], [null]],
])('%s', (_, rows, faults) => {
  const judged = [...judgedRows(rows, new RowJudge(seats))];
  expect(judged.map(({ fault }) => fault?.errorCode ?? null)).toEqual(faults);
});

test('a row is booked where every one of its seats is booked under its reference', () => {
  const rows = [row('1', ['booked'], 'order-1'), row('2', ['A-1'], 'order-1')];
  expect([...judgedRows(rows, new RowJudge(seats))].map(({ isBooked }) => isBooked)).toEqual([true, false]);
});

test('lines are rows, empty lines are none, and a line that is no row is named by its number', () => {
  const lines = [
    JSON.stringify(row('1', ['A-1'])),
    '',
    '{"rowId":',
    JSON.stringify({ ...row('4', ['A-2']), labels: 7 }),
  ];
  const judged = [...judgedLines(Buffer.from(`${lines.join('\r\n')}\n`), new RowJudge(seats))];
  expect(judged.map(({ rowId, fault }) => [rowId, fault?.errorCode])).toEqual([
    ['1', undefined],
    ['line 3', 'invalid_row'],
    ['line 4', 'invalid_row'],
  ]);
});

test('pieces have a bounded number of rows, and lose none', () => {
  const rows = Array.from({ length: 2 * importRowsPerPiece + 1 }, (_, at) => row(`${at}`, [`A-${at}`]));
  const pieces = [...piecesOf(judgedRows(rows, new RowJudge(seats)))];
  expect(pieces.map(({ length }) => length)).toEqual([importRowsPerPiece, importRowsPerPiece, 1]);
  expect(pieces.flat().map(({ rowId }) => rowId)).toEqual(rows.map(({ rowId }) => rowId));
});
