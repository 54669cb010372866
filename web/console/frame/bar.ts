/** The bar of every view: the organisation, the mode, the workspace, the pages, and the way out. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type Mode, modes, type ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';

type Workspace = { id: string; name: string };

export class Bar {
  readonly #ports: Ports;
  readonly #signOut: () => void;
  #workspaces: readonly Workspace[] = [];

  constructor(ports: Ports, signOut: () => void) {
    this.#ports = ports;
    this.#signOut = signOut;
    void this.#read();
  }

  async #read(): Promise<void> {
    const answer = await this.#ports.server.get<{ workspaces: Workspace[] }>('workspaces');
    if (!answer.ok) return;
    this.#workspaces = answer.value.workspaces;
    this.#ports.changed();
  }

  draw(place: ViewAddress): TemplateResult {
    const { who, words } = this.#ports;
    const { text } = words;
    return html`<header class="bar" data-mode=${place.mode}>
      <strong>${who.organisation.name}</strong>
      <fieldset class="modes"><legend class="unseen">${text('frame.mode')}</legend>
        ${modes.map((mode) => this.#modeButton(place, mode))}
      </fieldset>
      <label><span class="unseen">${text('frame.workspace')}</span>
        <select @change=${(event: Event) => this.#choose(place, (event.target as HTMLSelectElement).value)}>
          <option value="" ?selected=${place.workspaceId === null}>${text('frame.workspace.all')}</option>
          ${this.#workspaces.map(
            ({ id, name }) => html`<option value=${id} ?selected=${place.workspaceId === id}>${name}</option>`,
          )}
        </select></label>
      <nav aria-label=${text('frame.views')}>
        <a href=${addressOf(beside(place, ['events']))} aria-current=${place.path[0] === 'events' ? 'page' : nothing}
          >${text('events.title')}</a>
      </nav>
      <span class="space"></span>
      <span class="muted">${who.user.email}</span>
      <button @click=${this.#signOut}>${text('session.leave')}</button>
    </header>`;
  }

  #modeButton(place: ViewAddress, mode: Mode): TemplateResult {
    const { go, words } = this.#ports;
    return html`<button type="button" aria-pressed=${place.mode === mode}
      @click=${() => go({ ...place, mode, path: ['events'], query: {} })}>${words.text(`frame.mode.${mode}`)}</button>`;
  }

  #choose(place: ViewAddress, id: string): void {
    this.#ports.go({ ...place, workspaceId: id === '' ? null : id, path: ['events'], query: {} });
  }
}
