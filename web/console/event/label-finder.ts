/**
 * A field that adds places to the choice of the map by their labels, once the chart is there. Names that the chart
 * lacks stay in the field.
 */
import { html, type TemplateResult } from 'lit-html';
import type { PlainKey } from '../messages/words.ts';
import type { EventRoom } from './tab.ts';
import { wantedLabels } from './wanted-labels.ts';

export class LabelFinder {
  readonly #room: EventRoom;
  readonly #title: PlainKey;
  #unknown: readonly string[] = [];

  constructor(room: EventRoom, title: PlainKey) {
    this.#room = room;
    this.#title = title;
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    const waits = this.#room.map().live.hall === null;
    return html`<form @submit=${this.#add}>
      <label>${text(this.#title)} <input name="labels" autocomplete="off" ?disabled=${waits}></label>
      <p role="alert">${this.#notFound()}</p></form>`;
  }

  #notFound(): string {
    const { list, text } = this.#room.ports.words;
    return this.#unknown.length === 0 ? '' : text('counter.find.unknown', { places: list(this.#unknown, 12) });
  }

  #add = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('labels') as HTMLInputElement;
    const pane = this.#room.map();
    const { found, unknown } = wantedLabels(field.value, pane.live.hall?.labels ?? []);
    this.#unknown = unknown;
    field.value = unknown.join(' ');
    this.#room.ports.changed();
    if (found.length === 0) return;
    pane.visit(found);
    pane.choose([...pane.chosen, ...found]);
  };
}
