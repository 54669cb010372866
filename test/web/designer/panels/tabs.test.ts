/** The tabs of a session: those of which it may change a part, and those that every session has. */
import { expect, test } from 'vitest';
import { placedIn, proportioned, resized } from '../../../../web/designer/edits/background.ts';
import { tabsFor } from '../../../../web/designer/panels/panels.ts';

const tabsWithout = (...off: string[]) => tabsFor({ has: (feature) => !off.includes(feature) });

test('a tab goes with the last of its parts', () => {
  expect(tabsWithout()).toEqual(['selection', 'categories', 'places', 'chart', 'issues']);
  expect(tabsWithout('floors')).toContain('places');
  expect(tabsWithout('floors', 'zones')).not.toContain('places');
  expect(tabsWithout('categories', 'painting', 'accessibility')).toContain('categories');
  expect(tabsWithout('categories', 'painting', 'accessibility', 'views')).not.toContain('categories');
  expect(tabsWithout('venue', 'background')).toEqual(['selection', 'categories', 'places', 'issues']);
});

test('a plan lies in the middle of what is drawn, keeps its proportions, and is pale', () => {
  const bounds = { left: 0, top: 0, right: 400, bottom: 400 };
  const plan = { url: 'https://a.example/plan.png', x: 0, y: 0 };
  const placed = placedIn(plan, { width: 2_000, height: 1_000 }, bounds);
  expect(placed).toEqual({ ...plan, x: 0, y: 100, width: 400, height: 200, opacity: 0.5 });
  expect(resized(placed, 'height', 100)).toMatchObject({ x: 0, y: 100, width: 200, height: 100 });
  expect(proportioned(placed, { width: 10, height: 10 })).toMatchObject({ width: 400, height: 400 });
  expect(placedIn(plan, { width: 0, height: 0 }, bounds)).toBe(plan);
});
