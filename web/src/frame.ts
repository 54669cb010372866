/** The picker's page: the map with its tools, the panel beside it, and the texts for screen readers alone. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { Words } from './messages/words.ts';
import { styles } from './styles.ts';

export type FrameView = {
  words: Words;
  floors: readonly string[];
  floor: number;
  connection: 'opening' | 'live' | 'waiting' | 'ended';
  /** The message in place of the map, with the reason; null while there is a map. */
  cover: string | null;
  /** Sales are closed: the map is only to look at. */
  closed: boolean;
  /** `place` is a CSS transform. */
  tip: { place: string; title: string; text: string } | null;
  mirror: TemplateResult | null;
  panel: TemplateResult | null;
  zoom(step: 1 | -1 | 0): void;
  showFloor(floor: number): void;
};

export type Frame = {
  /** The element that holds the map's canvases. */
  canvas: HTMLElement;
  mirror: HTMLElement;
  draw(view: FrameView): void;
  say(text: string): void;
  /** When nothing has the focus any more, the first of these that exists gets it. */
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
  canvas.setAttribute('aria-hidden', 'true');
  const said = document.createElement('div');
  said.className = 'say';
  said.setAttribute('aria-live', 'polite');
  said.setAttribute('role', 'status');
  shadow.replaceChildren(root, said);
  return {
    canvas,
    mirror: root,
    draw(view) {
      root.lang = view.words.locale;
      root.dir = view.words.direction;
      said.lang = view.words.locale;
      render(page(view, canvas), root);
    },
    say(text) {
      // A screen reader speaks the same words twice only when the text has changed in between.
      said.textContent = said.textContent === text ? `${text}\u00a0` : text;
    },
    refocus(...selectors) {
      if (shadow.activeElement || (document.activeElement && document.activeElement !== document.body)) return;
      const next = selectors.map((each) => shadow.querySelector<HTMLElement>(each)).find(Boolean);
      next?.focus({ preventScroll: true });
    },
    end: () => shadow.replaceChildren(),
  };
}

function page(view: FrameView, canvas: HTMLElement): TemplateResult {
  const { tip, cover, connection } = view;
  const { text } = view.words;
  return html`<div class="frame">
    <div class="map ${view.closed ? 'closed' : ''}" role="region" aria-label=${text('map.label')}>
      ${view.mirror ?? nothing} ${canvas} ${view.floors.length > 1 ? floors(view) : nothing}
      ${view.closed ? html`<div class="shut">${text('map.closed')}</div>` : nothing}
      ${connection === 'waiting' ? html`<div class="connection" aria-hidden="true">${text('map.connecting')}</div>` : nothing}
      ${tip ? html`<div class="tip" .style=${`transform:${tip.place}`}><b>${tip.title}</b>${tip.text}</div>` : nothing}
      ${cover === null ? tools(view) : html`<div class="cover" role="alert"><p>${cover}</p></div>`}
    </div>
    <aside class="panel" ?hidden=${view.panel === null}>${view.panel ?? nothing}</aside>
  </div>`;
}

function tools({ zoom, words: { text } }: FrameView): TemplateResult {
  return html`<div class="tools">
    <button aria-label=${text('zoom.in')} @click=${() => zoom(1)}>+</button>
    <button aria-label=${text('zoom.out')} @click=${() => zoom(-1)}>−</button>
    <button aria-label=${text('zoom.all')} @click=${() => zoom(0)}>⤢</button>
  </div>`;
}

function floors({ words, floors: names, floor, showFloor }: FrameView): TemplateResult {
  return html`<div class="floors" role="group" aria-label=${words.text('map.floors')}>
    ${names.map((name, index) => html`<button aria-pressed=${index === floor} @click=${() => showFloor(index)}>${name}</button>`)}
  </div>`;
}
