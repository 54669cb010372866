/** A revocation reaches a front door, or the front door notices that it missed one. */
import { AnnouncementGaps } from '@parterre/shared/runtime/announcements';
import { expect, test } from 'vitest';

test('announcements in a row are missed by nobody, and beats that name the last one neither', () => {
  const gaps = new AnnouncementGaps();
  expect(gaps.missedUpTo('one', 0)).toBe(false);
  for (const nth of [1, 2, 3]) {
    expect(gaps.missedBefore('one', nth)).toBe(false);
    expect(gaps.missedUpTo('one', nth)).toBe(false);
  }
  expect(gaps.missedBefore('two', 1)).toBe(false);
});

test('a jump shows what was missed before it, once', () => {
  const gaps = new AnnouncementGaps();
  gaps.missedBefore('one', 1);
  expect(gaps.missedBefore('one', 3)).toBe(true);
  expect(gaps.missedBefore('one', 4)).toBe(false);
  expect(gaps.missedUpTo('one', 4)).toBe(false);
});

test('a beat above the last announcement shows that it was missed, also of a catalog that was never heard', () => {
  const gaps = new AnnouncementGaps();
  gaps.missedBefore('one', 1);
  expect(gaps.missedUpTo('one', 2)).toBe(true);
  expect(gaps.missedUpTo('one', 2)).toBe(false);
  expect(gaps.missedUpTo('two', 5)).toBe(true);
});
