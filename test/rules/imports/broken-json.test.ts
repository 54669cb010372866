/** A broken file of JSON is refused with the place of its fault. */

import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultOf } from '../../support/imports/imported.ts';

const sample = readFileSync(new URL('../../support/imports/seatsio/sample-chart.json', import.meta.url), 'utf8');

test.each([
  ['{"a": 1,\n "b" 2}', 2, 6],
  ['{"a": [1, 2,]}', 1, 13],
  ['{"a": nope}', 1, 7],
  ['{"a": "x\n"}', 1, 9],
  ['{"a": 1}\n}', 2, 1],
  ['[1, 2', 1, 6],
  ['{"a": "\\q"}', 1, 8],
])('%j is broken in line %i, column %i', (text, line, column) => {
  expect(faultOf(text)).toMatchObject({ code: 'broken_json', line, column });
});

test('a chart that is cut anywhere is refused, and the place is where it ends', () => {
  void fc.assert(
    fc.property(fc.integer({ min: 1, max: sample.trimEnd().length - 1 }), (length) => {
      const cut = sample.slice(0, length);
      const fault = faultOf(cut);
      expect(fault.code).toBe('broken_json');
      expect(fault.line).toBeGreaterThanOrEqual(cut.trimEnd().split('\n').length - 1);
    }),
  );
});

test('a chart with one wrong character is refused, or is another chart', () => {
  void fc.assert(
    fc.property(
      fc.integer({ min: 1, max: sample.length - 1 }),
      fc.constantFrom('}', ']', '"', ',', ':', '\u0000'),
      (at, wrong) => {
        const text = sample.slice(0, at) + wrong + sample.slice(at + 1);
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        if (!isValid) expect(faultOf(text, 'seatsio')).toMatchObject({ code: 'broken_json', line: expect.any(Number) });
      },
    ),
  );
});

test('endless nesting is refused, and other JSON is no chart', () => {
  expect(faultOf(`{"subChart": ${'['.repeat(1_000_000)}`)).toMatchObject({ code: 'broken_json' });
  expect(faultOf('{"a": 1}')).toMatchObject({ code: 'unknown_format' });
  expect(faultOf('[]')).toMatchObject({ code: 'unknown_format' });
  expect(faultOf('{"subChart": {}}')).toMatchObject({ code: 'nothing_found' });
  expect(faultOf('{"zones": [{"rows": []}]}')).toMatchObject({ code: 'nothing_found' });
});
