/** The meaning of the map's shapes. */
import { html, type TemplateResult } from 'lit-html';
import type { GlyphName } from '../draw/glyphs.ts';
import type { MessageKey } from '../messages/words.ts';
import { COMPANION, type Hall, WHEELCHAIR } from '../rules/hall.ts';
import { usedIn } from './filter.ts';
import { icon } from './icon.ts';
import type { PanelView } from './panel-view.ts';

type SignKey = Extract<MessageKey, `legend.${GlyphName | 'yours'}`>;
type Sign = [GlyphName, SignKey];

const shapes: Sign[] = [
  ['chosen', 'legend.yours'],
  ['held', 'legend.held'],
  ['booked', 'legend.booked'],
  ['closed', 'legend.closed'],
];

const partly: Sign = ['partly', 'legend.partly'];

/** The meaning of the map's shapes. */
export function signs({ hall, performances, words: { text } }: PanelView): TemplateResult {
  const statuses = performances.length > 0 ? [...shapes, partly] : shapes;
  return html`<details class="signs" part="signs">
    <summary>${text('legend.signs')}</summary>
    <ul class="shapes">
      ${statuses.map(([name, key]) => html`<li>${icon(name)}<span>${text(key)}</span></li>`)}
      ${kindsIn(hall).map(([name, key]) => html`<li>${icon(name, '#4a5160')}<span>${text(key)}</span></li>`)}
    </ul>
  </details>`;
}

function kindsIn(hall: Hall): Sign[] {
  const { accessibility: kinds } = usedIn(hall);
  const restricted: Sign[] = hall.restricted.size > 0 ? [['restricted', 'legend.restricted']] : [];
  const all: [...Sign, bits: number][] = [
    ['wheelchair', 'legend.wheelchair', WHEELCHAIR],
    ['companion', 'legend.companion', COMPANION],
    ['special', 'legend.special', ~(WHEELCHAIR | COMPANION)],
  ];
  const inHall = all.filter(([, , bits]) => kinds & bits).map(([name, key]): Sign => [name, key]);
  return [...inHall, ...restricted];
}
