/** The bar of every view: the organisation, the mode, the workspace, the pages, and the way out. */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type Mode, modes, type ViewAddress } from '../address.ts';
import type { PlainKey } from '../messages/words.ts';
import type { SignedIn } from '../session/session.ts';
import type { Ports } from '../view.ts';
import { type ViewEntry, views } from '../views.ts';

type Workspace = { id: string; name: string };

const pages = Object.entries(views).filter((entry): entry is [string, ViewEntry & { title: PlainKey }] => {
  return entry[1].title !== null;
});

/** The page of the bar that a view without a place of its own belongs to. */
const pageOf: Readonly<Record<string, string>> = {
  event: 'events',
  'new-event': 'events',
  'new-chart': 'charts',
  'import-chart': 'charts',
};

/** Another mode or workspace opens the same page, and no record of the other one. */
function topOf({ path }: ViewAddress): string {
  const name = pageOf[path[0]!] ?? path[0]!;
  return pages.some(([page]) => page === name) ? name : 'events';
}

export class Bar {
  readonly #ports: Omit<Ports, 'who'> & { who: SignedIn };
  readonly #signOut: () => void;
  #workspaces: readonly Workspace[] = [];

  constructor(ports: Omit<Ports, 'who'> & { who: SignedIn }, signOut: () => void) {
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
      ${place.mode === 'test' ? html`<p class="mode-note">${text('frame.mode.note')}</p>` : nothing}
      <strong class="house">${who.organisation.name}</strong>
      <fieldset class="modes"><legend class="unseen">${text('frame.mode')}</legend>
        ${modes.map((mode) => this.#modeButton(place, mode))}
      </fieldset>
      ${this.#workspaceChoice(place)}
      <nav aria-label=${text('frame.views')}>
        ${pages
          .filter(([, { needs }]) => roleHas(who.user.role, needs))
          .map(([name, { title }]) => this.#page(place, name, text(title)))}
      </nav>
      <div class="me"><span class="muted person" title=${who.user.email}>${who.user.email} (${text(`role.${who.user.role}`)})</span>
        <button @click=${this.#signOut}>${text('session.leave')}</button></div>
    </header>`;
  }

  /** A workspace of the address that the user does not have is told, not corrected. */
  #workspaceChoice(place: ViewAddress): TemplateResult {
    const { text } = this.#ports.words;
    const { workspaceId } = place;
    const isKnown = workspaceId === null || this.#workspaces.some(({ id }) => id === workspaceId);
    return html`<label class="workspace"><span class="unseen">${text('frame.workspace')}</span>
      <select .value=${workspaceId ?? ''} @change=${(event: Event) => this.#choose(place, (event.target as HTMLSelectElement).value)}>
        <option value="" ?selected=${workspaceId === null}>${text('frame.workspace.all')}</option>
        ${isKnown ? nothing : html`<option value=${workspaceId} selected>${text('frame.workspace.unknown')}</option>`}
        ${this.#workspaces.map(
          ({ id, name }) => html`<option value=${id} ?selected=${workspaceId === id}>${name}</option>`,
        )}
      </select></label>`;
  }

  #page(place: ViewAddress, name: string, title: string): TemplateResult {
    const isHere = place.path[0] === name || pageOf[place.path[0]!] === name;
    return html`<a href=${addressOf(beside(place, [name]))} aria-current=${isHere ? 'page' : nothing}>${title}</a>`;
  }

  #modeButton(place: ViewAddress, mode: Mode): TemplateResult {
    const { go, words } = this.#ports;
    return html`<button type="button" aria-pressed=${place.mode === mode}
      @click=${() => go({ ...place, mode, path: [topOf(place)], query: {} })}>${words.text(`frame.mode.${mode}`)}</button>`;
  }

  #choose(place: ViewAddress, id: string): void {
    this.#ports.go({ ...place, workspaceId: id === '' ? null : id, path: [topOf(place)], query: {} });
  }
}
