/** Imports of CSV files, in the many forms that spreadsheets write. */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { Row } from '@parterre/shared/charts/document';
import { csvOf } from '@parterre/shared/charts/exports/csv';
import { importChart } from '@parterre/shared/charts/imports/imports';
import { expect, test } from 'vitest';
import { codesOf, faultOf, imported, placesIn } from '../../support/imports/imported.ts';

test.each([
  ['commas', 'Section,Row,Seat,Category,Accessible\nStalls,A,1,Front,yes\nStalls,A,2,Front,no\n'],
  ['semicolons and CRLF', '\uFEFFSection;Row;Seat;Category;Accessible\r\nStalls;A;1;Front;1\r\nStalls;A;2;Front;0\r\n'],
  [
    'tabs',
    'SECTION\tROW LABEL\tSEAT NUMBER\tCATEGORY\tACCESSIBLE\nStalls\tA\t1\tFront\twheelchair\nStalls\tA\t2\tFront\t\n',
  ],
  ['German names', 'Bereich;Reihe;Platz;Kategorie;Rollstuhl\nStalls;A;1;Front;ja\nStalls;A;2;Front;nein\n'],
  [
    'quotes',
    '"section","row","seat","category","accessible"\n"Stalls","A","1","Front","x"\n"Stalls","A","2","Front",""\n',
  ],
])('a file with %s', (_, text) => {
  const { document, report, places } = imported(text);
  expect([report.format, report.publishIssues]).toEqual(['csv', []]);
  expect(
    [...places.values()].map(({ label, accessibility, categoryKey }) => [label, accessibility, categoryKey]),
  ).toEqual([
    ['A-1', 1, 'Front'],
    ['A-2', 0, 'Front'],
  ]);
  expect(document.objects.map(({ type }) => type)).toEqual(['section', 'row']);
  expect(codesOf(report)).toContain('laid_out');
});

test('the way to a seat stands beside its kinds', () => {
  const lines = ['A,1,wheelchair step-free', 'A,2,Aufzug', 'A,3,"hearing, step free"', 'A,4,stairs', 'A,5,'];
  const { document, report } = imported(`row,seat,accessible\n${lines.join('\n')}\n`);
  const row = document.objects.find(({ type }) => type === 'row') as Row;
  expect(row.overrides).toMatchObject([
    { index: 0, accessibility: ['wheelchair'], stepFree: true },
    { index: 1, lift: true },
    { index: 2, accessibility: ['hearing'], stepFree: true },
  ]);
  expect(codesOf(report)).toContain('unknown_accessibility');
  const plan = compilePlan(document, 'ways');
  expect([...plan.wayOfUnit!]).toEqual([1, 2, 1, 0, 0]);
  expect(csvOf(document).text.split('\n')[1]).toContain('wheelchair step-free');
});

test('a file of UTF-16 and a file of Windows-1252 are read', () => {
  const text = 'row,seat,category\nÉ,1,Première\n';
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  for (const bytes of [utf16, Buffer.from(text, 'latin1')]) {
    const outcome = importChart(bytes, { format: null, name: null });
    if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
    expect([...placesIn(outcome.document).keys()]).toEqual(['É-1']);
  }
});

test('positions are kept, with decimal commas too', () => {
  const { places, report } = imported('row;seat;x;y;category\nA;1;10,5;20;c\nA;2;30,5;20,25;c\nA;3;50,5;20,5;c\n');
  expect(places.get('A-1')).toMatchObject({ x: expect.closeTo(10.5, 0), y: expect.closeTo(20, 0) });
  expect(codesOf(report)).toContain('decimal_comma');
});

test('sections with the same rows come first in labels, not in names; missing numbers leave gaps', () => {
  const { document, places, report } = imported('section,row,seat,category\nL,1,1,c\nL,1,2,c\nL,1,5,c\nR,1,1,c\n');
  expect([...places.keys()]).toEqual(['L-1-1', 'L-1-2', 'L-1-5', 'R-1-1']);
  const rows = document.objects.filter(({ type }) => type === 'row');
  expect(rows.map(({ label, displayLabel }) => [label, displayLabel])).toEqual([
    ['L-1', '1'],
    ['R-1', '1'],
  ]);
  expect(places.get('L-1-5')!.x - places.get('L-1-2')!.x).toBeCloseTo(60, 1);
  expect(codesOf(report)).toContain('section_in_labels');
});

test('a label that is written out is kept as it is', () => {
  const { places } = imported('row,seat,label,category\nA,1,Box-9,c\nA,2,A-2,c\n');
  expect([...places.keys()]).toEqual(['Box-9', 'A-2']);
});

test('labels of every script are kept', () => {
  const rows = ['أ', 'שורה', '行', 'แถว', '🎭', 'e\u0301', 'पंक्ति', 'A\u200Db'];
  const { places, report } = imported(`row,seat,category\n${rows.map((row) => `${row},١٢,c`).join('\n')}`);
  expect([...places.keys()]).toEqual(rows.map((row) => `${row.normalize('NFC')}-١٢`));
  expect(report.publishIssues).toEqual([]);
});

test('a label that stands twice is told as the issue that stops publishing', () => {
  const outcome = importChart(Buffer.from('row,seat,category\nA,1,c\nA,1,c\n'), { format: null, name: null });
  if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
  expect(outcome.report.publishIssues).toMatchObject([{ message: expect.stringMatching(/^Duplicate label: A-1/) }]);
});

test('unknown columns, kinds and lines without a seat are told', () => {
  const { report } = imported('row,seat,mood,accessible,category\nA,1,good,levitation,c\nA,,bad,,c\n');
  expect(report.notes.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['unknown_column', 'unknown_accessibility', 'line_without_seat']),
  );
});

test('a broken file names its line', () => {
  expect(faultOf('row,seat\nA,1\nA,"2\nA,3\n')).toMatchObject({ code: 'broken_csv', line: expect.any(Number) });
  expect(faultOf('name,colour\nred,1\n')).toMatchObject({ code: 'unknown_format', line: 1 });
  expect(faultOf('')).toMatchObject({ code: 'empty_file' });
  expect(faultOf(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]))).toMatchObject({ code: 'unreadable_text' });
  expect(faultOf('row,seat\n')).toMatchObject({ code: 'nothing_found' });
});
