/** The card of a standing area in the panel and the list: its free places, and the number that the buyer chooses. */
import { expect, test } from 'vitest';
import { wordsOf } from '../../../web/src/messages/words.ts';
import { areaCard } from '../../../web/src/panel/areas.ts';
import type { PanelView } from '../../../web/src/panel/panel-view.ts';
import { bareOffers } from '../../../web/src/rules/prices.ts';
import { openSale } from './open-sale.ts';

type Template = { strings: readonly string[]; values: readonly unknown[] };
type Press = () => void;

/** The template's markup, and the functions of its buttons. */
function shownOf(template: Template): { markup: string; presses: Press[] } {
  const presses: Press[] = [];
  const written = (value: unknown): string => {
    if (typeof value === 'function') presses.push(value as Press);
    if (typeof value !== 'object' || value === null || !('strings' in value)) return String(value);
    const { strings, values } = value as Template;
    return strings.map((text, index) => text + (index < values.length ? written(values[index]) : '')).join('');
  };
  return { markup: written(template), presses };
}

test('held places of a full area can be given up and chosen again', async () => {
  const { sale, page, server, hears, choose } = openSale();
  const standing = page.hall.areas.find(({ id }) => id === 'standing')!;
  const words = wordsOf('en');
  const card = () => {
    const view = {
      words,
      sale,
      ...page,
      offers: [bareOffers],
      waiting: null,
      event: { currency: 'EUR' },
      say: () => {},
    };
    const { markup, presses } = shownOf(areaCard(view as unknown as PanelView, standing) as unknown as Template);
    const [less, more] = presses as [Press, Press];
    const [count] = markup.match(/\d+ places? free|Sold out/)!;
    const [isLeast, isMost] = [...markup.matchAll(/aria-disabled=(true|false)/g)].map(([, word]) => word === 'true');
    return { told: { count, value: Number(markup.match(/<output>(\d+)/)![1]), isLeast, isMost }, less, more };
  };
  expect(card().told).toEqual({ count: '20 places free', value: 0, isLeast: true, isMost: false });
  hears(2, {}, 1);
  card().more();
  expect(await sale.hold()).toBe(true);
  hears(3, {}, 0);
  expect(card().told).toEqual({ count: '0 places free', value: 1, isLeast: false, isMost: true });
  card().less();
  choose('A-1');
  expect(card().told).toEqual({ count: '1 place free', value: 0, isLeast: true, isMost: false });
  card().more();
  expect(card().told.value).toBe(1);
  server.answers.set('release', { ok: true, value: {} });
  expect(await sale.release()).toBe(true);
  expect(card().told).toEqual({ count: 'Sold out', value: 0, isLeast: true, isMost: true });
});
