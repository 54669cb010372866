/** The meaning of the map's shapes, and the shapes as icons. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { canDraw } from '../canvas.ts';
import { drawGlyph, type GlyphName } from '../draw/glyphs.ts';
import type { MessageKey } from '../messages/words.ts';
import { COMPANION, type Hall, WHEELCHAIR } from '../rules/hall.ts';
import { usedIn } from './filter.ts';
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

const made = new Map<string, HTMLCanvasElement>();

/** The shape of the map, drawn once however often the panel is drawn. */
export const icon = (name: GlyphName, tint = '#ffffff') => guard([name, tint], () => iconOf(name, tint));

/** A canvas stands in one place only, so each use gets a copy. */
function iconOf(name: GlyphName, tint: string): HTMLCanvasElement | typeof nothing {
  if (!canDraw()) return nothing;
  const key = `${name}${tint}`;
  let drawing = made.get(key);
  if (!drawing) {
    drawing = document.createElement('canvas');
    drawing.width = 64;
    drawing.height = 64;
    drawGlyph(drawing.getContext('2d')!, name, tint);
    made.set(key, drawing);
  }
  const copy = document.createElement('canvas');
  copy.width = 64;
  copy.height = 64;
  copy.className = 'icon';
  copy.setAttribute('part', 'icon');
  copy.setAttribute('aria-hidden', 'true');
  copy.getContext('2d')!.drawImage(drawing, 0, 0);
  return copy;
}
