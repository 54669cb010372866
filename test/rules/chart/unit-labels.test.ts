/** The labels of a plan's units: each label of any chart finds its own unit and no other. */
import { UnitLabels } from '@parterre/shared/charts/unit-labels';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const latin = fc.string({ maxLength: 6 });
const any = fc.string({ unit: 'binary', maxLength: 6 });
/** Few characters, so that labels share beginnings and ends. */
const alike = fc.string({ unit: fc.constantFrom('A', '-', '1'), maxLength: 5 });

describe('labels of units', () => {
  test.each([
    ['of one byte a character', latin],
    ['of any character', any],
    ['that are much alike', alike],
  ])('%s come back by unit, and units by label', (_name, label) => {
    const distinct = fc.uniqueArray(label, { maxLength: 60 });
    fc.assert(
      fc.property(distinct, fc.array(fc.oneof(label, any), { maxLength: 20 }), (labels, others) => {
        const units = UnitLabels.of(labels);
        expect(units.length).toBe(labels.length);
        expect(units.all()).toEqual(labels);
        for (const [unit, each] of labels.entries()) {
          expect(units.at(unit)).toBe(each);
          expect(units.unitOf(each)).toBe(unit);
          expect(units.has(each)).toBe(true);
        }
        for (const other of others.filter((each) => !labels.includes(each))) {
          expect(units.unitOf(other)).toBeUndefined();
          expect(units.has(other)).toBe(false);
        }
      }),
    );
  });

  test('keep half of a surrogate pair as it is', () => {
    const labels = UnitLabels.of(['\ud83d', '\ude00', '\ud83d\ude00']);
    expect(labels.all()).toEqual(['\ud83d', '\ude00', '\ud83d\ude00']);
    expect(labels.unitOf('\ude00')).toBe(1);
  });

  test('are distinct when two characters share only their lower byte', () => {
    const labels = UnitLabels.of(['A']);
    expect(labels.unitOf('\u0141')).toBeUndefined();
  });

  test('that occur twice are a fault', () => {
    expect(() => UnitLabels.of(['A-1', 'A-2', 'A-1'])).toThrow('A-1 stands twice');
  });
});
