/** The picker's page: the map with its tools, the panel beside it, and the texts for screen readers alone. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { mapSkeleton, panelSkeleton } from './looks/skeleton.ts';
import { styles } from './looks/styles.ts';
import { mayPass, type Problem, problemText } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import type { MapCard } from './panel/card.ts';
import type { Surface } from './panel/side.ts';

export type FrameView = {
  words: Words;
  /** The buttons of the floors; fewer than two are not shown. */
  floors: readonly { name: string; note: string }[];
  floor: number;
  connection: 'opening' | 'live' | 'waiting' | 'ended';
  /** In place of the map: it opens, or a message says why there is none; null while there is a map. */
  cover: { isOpening: boolean; text: string; retry: (() => void) | null } | null;
  /** Sales are closed: the map is only to look at. */
  closed: boolean;
  /** The sheet of a phone is open. */
  isOpen: boolean;
  surface: Surface;
  /** True where the browser can draw the map. */
  hasMap: boolean;
  card: MapCard | null;
  mirror: TemplateResult | null;
  list: TemplateResult | null;
  panel: TemplateResult | null;
  show(surface: Surface): void;
  zoom(step: 1 | -1 | 0): void;
  showFloor(floor: number): void;
};

export type Frame = {
  /** The element that holds the map's canvases. */
  canvas: HTMLElement;
  mirror: HTMLElement;
  draw(view: FrameView): void;
  say(text: string): void;
  /** When nothing has the focus any more, the first of these that exists gets it, else the map. */
  refocus(...selectors: string[]): void;
  end(): void;
};

export function makeFrame(container: HTMLElement): Frame {
  const shadow = container.shadowRoot ?? container.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  shadow.adoptedStyleSheets = [sheet];
  const root = document.createElement('div');
  root.className = 'parterre';
  const canvas = document.createElement('div');
  canvas.className = 'canvas';
  canvas.setAttribute('part', 'canvas');
  canvas.setAttribute('aria-hidden', 'true');
  const said = document.createElement('div');
  said.className = 'say';
  said.setAttribute('aria-live', 'polite');
  said.setAttribute('role', 'status');
  shadow.replaceChildren(root, said);
  let saying: string[] = [];

  const map = () => shadow.querySelector<HTMLElement>('.map');

  /** A buyer at the map, or elsewhere on the page, keeps the focus. */
  const isFocusFree = () =>
    shadow.activeElement === null
      ? document.activeElement === null || document.activeElement === document.body
      : shadow.activeElement === map();

  /** A press on the map does not take the focus. The map takes the focus only here. */
  function catchFocus(): void {
    const target = map();
    if (!target) return;
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
    target.focus({ preventScroll: true });
  }

  return {
    canvas,
    mirror: root,
    draw(view) {
      root.lang = view.words.locale;
      root.dir = view.words.direction;
      said.lang = view.words.locale;
      const hadFocus = shadow.activeElement !== null;
      render(page(view, canvas), root);
      if (!hadFocus || shadow.activeElement) return;
      // The focused piece is gone. The cause of the drawing may have a better place for the focus.
      queueMicrotask(() => shadow.activeElement ?? catchFocus());
    },
    say(text) {
      // A screen reader speaks only the last text of a moment: the texts of one moment are one.
      if (saying.length === 0) {
        setTimeout(() => {
          saying = [];
        });
      }
      if (!saying.includes(text)) saying.push(text);
      const whole = saying.join(' ');
      // A screen reader speaks the same words twice only when the text has changed in between.
      said.textContent = said.textContent === whole ? `${whole}\u00a0` : whole;
    },
    refocus(...selectors) {
      if (!isFocusFree()) return;
      const next = selectors.map((each) => shadow.querySelector<HTMLElement>(each)).find(Boolean);
      if (next) next.focus({ preventScroll: true });
      else catchFocus();
    },
    end: () => shadow.replaceChildren(),
  };
}

/** The cover for a map that opens, or for the reason why there is none. `retry` is offered where it may help. */
export function coverOf(
  reason: Problem | 'opening' | null,
  words: Words,
  retry: (() => void) | null,
): FrameView['cover'] {
  if (reason === null) return null;
  if (reason === 'opening') return { isOpening: true, text: words.text('map.opening'), retry: null };
  return { isOpening: false, text: problemText(words, reason), retry: mayPass(reason) ? retry : null };
}

function page(view: FrameView, canvas: HTMLElement): TemplateResult {
  const { cover, connection, isOpen, words } = view;
  const { text } = words;
  const isMap = view.hasMap && view.surface === 'map';
  canvas.hidden = !isMap;
  return html`<div class="frame" data-sheet=${isOpen ? 'open' : 'closed'}>
    <div class="map ${view.closed ? 'closed' : ''}" part="map" role="region" aria-label=${text('map.label')}>
      ${isMap ? (view.mirror ?? nothing) : nothing} ${canvas} ${isMap || cover ? nothing : view.list}
      <div class="top">
        ${isMap && view.floors.length > 1 ? floors(view) : nothing} ${cover ? nothing : surfaces(view)} ${isMap && view.card?.isUnderButtons ? view.card.template : nothing}
      </div>
      ${connection === 'waiting' && !cover ? html`<div class="connection" part="connection" aria-hidden="true">${text('map.connecting')}</div>` : nothing}
      ${isMap && view.card && !view.card.isUnderButtons ? view.card.template : nothing} ${cover ? covered(cover, words) : isMap ? tools(view) : nothing}
    </div>
    <aside class="panel" part="panel" aria-label=${text('sheet.details')} ?hidden=${cover !== null && !cover.isOpening}>${view.panel ?? (cover?.isOpening ? panelSkeleton() : nothing)}</aside>
  </div>`;
}

function covered({ isOpening, text, retry }: NonNullable<FrameView['cover']>, words: Words): TemplateResult {
  if (isOpening) return html`<div class="cover" part="cover" role="status">${mapSkeleton()}<p>${text}</p></div>`;
  const again = html`<button class="primary" part="button primary" @click=${retry}>${words.text('map.retry')}</button>`;
  return html`<div class="cover" part="cover" role="alert"><p>${text}</p>${retry ? again : nothing}</div>`;
}

/** Map or list; without a map, a note that says so. */
function surfaces({ words: { text }, surface, hasMap, show }: FrameView): TemplateResult {
  if (!hasMap) return html`<p class="no-map" part="notice">${text('surface.noMap')}</p>`;
  const button = (each: Surface) =>
    html`<button part="button" aria-pressed=${surface === each} @click=${() => show(each)}>${text(`surface.${each}`)}</button>`;
  return html`<div class="surfaces" part="surfaces" role="group" aria-label=${text('surface.label')}>${button('map')}${button('list')}</div>`;
}

function tools({ zoom, words: { text } }: FrameView): TemplateResult {
  return html`<div class="tools" part="tools">
    <button part="button" aria-label=${text('zoom.in')} @click=${() => zoom(1)}>+</button>
    <button part="button" aria-label=${text('zoom.out')} @click=${() => zoom(-1)}>−</button>
    <button part="button" aria-label=${text('zoom.all')} @click=${() => zoom(0)}>⤢</button>
  </div>`;
}

function floors({ words, floors: all, floor, showFloor }: FrameView): TemplateResult {
  return html`<div class="floors" part="floors" role="group" aria-label=${words.text('map.floors')}>
    ${all.map(({ name, note }, index) => html`<button part="button" aria-pressed=${index === floor} @click=${() => showFloor(index)}>${name}${note ? html` <small>${note}</small>` : nothing}</button>`)}
  </div>`;
}
