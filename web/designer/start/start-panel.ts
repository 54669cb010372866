/** The panel over the map of an empty chart: the templates with small pictures, then the sizes of the chosen one. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { drawSmallPicture } from '../../src/draw/small-picture.ts';
import { tell, type Words } from '../messages/words.ts';
import type { Offer, Sized, Start, Starting } from './start.ts';

export type StartHost = {
  words: Words;
  start: Start;
  /** Shows the whole drawing and moves the focus to the map. */
  show(): void;
  say(text: string): void;
};

export function startPanel(host: StartHost): TemplateResult {
  const { words, start } = host;
  const { text } = words;
  void start.load();
  const { state } = start;
  return html`<section class="start" aria-labelledby="start-title">
    ${state.step === 'sizing' ? sizing(host, state) : choosing(host, state)}
    <p class="start-leave">
      ${text('start.or')}
      <button type="button" @click=${() => leave(host)}>${text('start.nothing')}</button>
    </p>
  </section>`;
}

function choosing(host: StartHost, state: Starting): TemplateResult {
  const { words, start } = host;
  const { text } = words;
  return html`<h2 id="start-title">${text('start.title')}</h2>
    ${state.step === 'loading' ? html`<p role="status">${text('start.loading')}</p>` : nothing}
    ${
      state.step === 'failed'
        ? html`<p role="alert">${text('start.failed')} <button type="button" @click=${() => void start.load(true)}>${text('session.again')}</button></p>`
        : nothing
    }
    <ul class="start-offers">
      ${state.step === 'choosing' ? state.offers.map((offer) => html`<li>${card(host, offer)}</li>`) : nothing}
    </ul>`;
}

function card({ words, start }: StartHost, offer: Offer): TemplateResult {
  const { template, document, places } = offer;
  return html`<button type="button" class="start-card" aria-describedby="start-${template.id}" @click=${() => {
    start.choose(offer);
    focusSoon('.start input');
  }}>
    ${picture(document)}
    <b>${template.name}</b>
    <small id="start-${template.id}">${words.text('start.about', { count: places })}</small>
  </button>`;
}

function sizing(host: StartHost, { sized, refusal }: Extract<Starting, { step: 'sizing' }>): TemplateResult {
  const { words, start } = host;
  const { text } = words;
  const { template, sample, places } = sized;
  return html`<form class="start-sizes" @submit=${(event: Event) => draw(host, event)}>
    <div>
      <h2 id="start-title">${template.name}</h2>
      <p>${template.description}</p>
      ${template.sizes.map((size) => field(host, sized, size))}
      <p role="status">${sample ? text('start.about', { count: places }) : text('start.badSize')}</p>
      ${refusal ? html`<p class="problem" role="alert">${tell(words, refusal)}</p>` : nothing}
      <p class="saving-choices">
        <button type="button" @click=${() => {
          start.list();
          focusSoon('.start-card');
        }}>${text('start.back')}</button>
        <button type="submit" class="primary">${text('start.draw')}</button>
      </p>
    </div>
    ${sample ? picture(sample) : nothing}
  </form>`;
}

function field(
  { words, start }: StartHost,
  { sizes }: Sized,
  size: Offer['template']['sizes'][number],
): TemplateResult {
  const { name, label, min, max } = size;
  const input = ({ target }: Event) => start.size(name, (target as HTMLInputElement).valueAsNumber);
  return html`<label>
    <span>${label} <small>${words.text('start.bounds', { min: words.number(min), max: words.number(max) })}</small></span>
    <input type="number" required min=${min} max=${max} value=${sizes[name]!} @input=${input} />
  </label>`;
}

/** The same function for the same chart, so that a picture is drawn once. */
const painters = new WeakMap<ChartDocument, (canvas: Element | undefined) => void>();

function picture(document: ChartDocument): TemplateResult {
  const paint =
    painters.get(document) ??
    ((canvas: Element | undefined) => {
      // The canvas has its size once it stands in the page. Each picture is a task of its own.
      if (canvas) setTimeout(() => drawSmallPicture(canvas as HTMLCanvasElement, document));
    });
  painters.set(document, paint);
  return html`<canvas aria-hidden="true" ${ref(paint)}></canvas>`;
}

function draw({ start, show, say, words }: StartHost, event: Event): void {
  event.preventDefault();
  if (!start.draw()) return;
  say(words.text('start.drawn'));
  show();
}

function leave({ start, show }: StartHost): void {
  start.leave();
  show();
}

/** After the page has drawn itself, in its next frame. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
