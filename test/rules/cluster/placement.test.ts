/** The member that should own a partition: spread, few moves, and regions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, heirOf } from '../../../services/inventory-shard/src/cluster/placement.ts';

const PARTITIONS = 256;
const numbers = Array.from({ length: PARTITIONS }, (_, number) => number);
const member = (id: string, ...regions: string[]): Candidate => ({ id, regions });
const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 8 });

describe('the heir of a partition', () => {
  it('is nobody without members, and the only member when there is one', () => {
    expect(heirOf(0, null, [])).toBeNull();
    expect(heirOf(0, null, [member('a')])).toBe('a');
  });

  it('is the same for every member that hears the same members, in any order', () => {
    fc.assert(
      fc.property(ids, (all) => {
        const members = all.map((id) => member(id));
        for (const number of numbers.slice(0, 16)) {
          expect(heirOf(number, null, members.toReversed())).toBe(heirOf(number, null, members));
        }
      }),
    );
  });

  it('changes only when the heir left', () => {
    fc.assert(
      fc.property(ids, (all) => {
        const members = all.map((id) => member(id));
        const [gone, ...rest] = members;
        for (const number of numbers.slice(0, 64)) {
          const before = heirOf(number, null, members);
          if (before !== gone!.id) expect(heirOf(number, null, rest)).toBe(before);
        }
      }),
    );
  });

  it('spreads partitions over members', () => {
    const members = ['shd_one', 'shd_two', 'shd_three'].map((id) => member(id));
    for (const { id } of members) {
      const share = numbers.filter((number) => heirOf(number, null, members) === id).length / PARTITIONS;
      expect(share).toBeGreaterThan(0.22);
      expect(share).toBeLessThan(0.45);
    }
  });

  it.each([
    ['asks for its region', 'africa', [member('a', 'africa'), member('b'), member('c', 'oceania')], 'a'],
    ['asks for nothing, where nobody asks for its region', 'africa', [member('b'), member('c', 'oceania')], 'b'],
    ['asks for nothing, for the default range', null, [member('a', 'africa'), member('b')], 'b'],
    ['is there at all, where all ask for other regions', 'africa', [member('c', 'oceania')], 'c'],
  ] as const)('is one that %s', (_, region, members, heir) => {
    for (const number of numbers) expect(heirOf(number, region, members)).toBe(heir);
  });
});
