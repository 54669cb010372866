/** The search for the best seats stays within the page's largest selection. */
import { expect, test } from 'vitest';
import { wordsOf } from '../../../web/src/messages/words.ts';
import { createFinder } from '../../../web/src/panel/finder.ts';
import type { PanelView } from '../../../web/src/panel/panel-view.ts';
import { openSale } from './open-sale.ts';

test('best seats are offered until the choice is as large as it may be', () => {
  const { sale, page, choose } = openSale();
  const finder = createFinder();
  const view = { sale, ...page, words: wordsOf('en'), waiting: null, offers: [], event: { currency: 'EUR' } };
  const isOffered = (maxSelection: number) =>
    typeof finder({ ...view, maxSelection } as unknown as PanelView) === 'object';
  choose('A-1');
  choose('A-2');
  expect([isOffered(3), isOffered(2)]).toEqual([true, false]);
});
