/**
 * A new chart: from a template in sizes of the person's choice, or empty. The address keeps the template; an address
 * without one offers both.
 *
 * States: writing → sending → made: the list opens. A refusal or a silent server leads back to writing, with everything
 * that was typed.
 */
import { html, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import { Act } from '../frame/act.ts';
import { adopt } from '../frame/adopt.ts';
import { textField } from '../frame/field.ts';
import '../frame/page-looks.ts';
import { faultsOf, toldOf } from '../frame/refusals.ts';
import { TemplateChoice } from '../frame/template-choice.ts';
import type { Ports, View } from '../view.ts';
import type { Chart } from './chart.ts';
import { looks } from './looks.ts';

const FIRST_TEMPLATE = 'theatre';
const NO_TEMPLATE = 'none';

adopt(looks);

export function openNewChart(place: ViewAddress, ports: Ports): View {
  return new NewChart(place, ports);
}

class NewChart implements View {
  readonly #ports: Ports;
  readonly #act: Act;
  readonly #choice: TemplateChoice;
  #place: ViewAddress;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    this.#act = new Act(ports.changed);
    this.#choice = new TemplateChoice(ports.words, ports.changed);
    void this.#choice.load();
  }

  get title(): string {
    return this.#ports.words.text('charts.new');
  }

  moved(place: ViewAddress): boolean {
    const { mode, workspaceId } = this.#place;
    if (place.path[0] !== 'new-chart' || place.mode !== mode || place.workspaceId !== workspaceId) return false;
    this.#place = place;
    return true;
  }

  close(): void {}

  get #template(): string {
    return this.#place.query.template ?? FIRST_TEMPLATE;
  }

  draw(): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    const { state } = this.#act;
    const faults = faultsOf(state);
    const isEmpty = this.#template === NO_TEMPLATE;
    const link = (label: string, isHere: boolean, template: string) =>
      html`<a class="button" aria-current=${isHere ? 'true' : 'false'}
        href=${addressOf({ ...this.#place, query: { template } })}>${label}</a>`;
    const choose = (template: string) => this.#ports.go({ ...this.#place, query: { template } }, 'replace');
    const isDrawn = isEmpty || this.#choice.document(this.#template) !== null;
    return html`<h1>${text('charts.new')}</h1>
      <form class="form-page" @submit=${this.#submit} @input=${() => this.#act.renew()}>
        <fieldset class="source"><legend>${text('events.new.source')}</legend>
          <p class="buttons start">${link(text('events.new.from_template'), !isEmpty, FIRST_TEMPLATE)}
            ${link(text('charts.new.empty'), isEmpty, NO_TEMPLATE)}</p>
          ${isEmpty ? html`<p>${text('charts.new.empty.hint')}</p>` : this.#choice.draw(this.#template, choose)}
        </fieldset>
        <fieldset><legend>${text('events.new.facts')}</legend>
          ${textField({ label: text('charts.name'), fault: faults.at('name') }, 'name', '', true)}</fieldset>
        <p role="alert">${toldOf(state, words)} ${faults.rest()}</p>
        <p class="buttons start">
          <button class="primary" ?disabled=${state.kind === 'sending' || !isDrawn}
            >${state.kind === 'unknown' ? text('console.again') : text('charts.create')}</button>
          <a class="button" href=${addressOf(beside(this.#place, ['charts']))}>${text('frame.cancel')}</a></p>
      </form>`;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    const { go, server, tell, words } = this.#ports;
    const { workspaceId } = this.#place;
    const within = workspaceId === null ? {} : { workspaceId };
    const isEmpty = this.#template === NO_TEMPLATE;
    const path = isEmpty ? 'charts' : `templates/${this.#template}/instantiate`;
    const body = { name, ...within, ...(!isEmpty && { sizes: this.#choice.sizes }) };
    const sent = await this.#act.send((key) => server.send<{ meta: Chart }>('POST', path, { body, key }));
    if (sent === null) return;
    tell({
      text: words.text('charts.made', { name }),
      undo: (key) => server.send('DELETE', `charts/${sent.value.meta.id}`, { key }),
    });
    go(beside(this.#place, ['charts'], { search: name }));
  };
}
