/** Workspaces: parts of the organisation with their own charts and events. Owners make, name, open and close them. */

import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { fieldOf } from '../frame/field.ts';
import { Listing } from '../frame/listing.ts';
import type { Ports } from '../view.ts';
import type { Page } from './page.ts';

type Workspace = {
  id: string;
  name: string;
  status: 'active' | 'disabled';
  isDefault: boolean;
  externalRef: string | null;
};
type Change = { name: string } | { status: Workspace['status'] } | { isDefault: true };

export const openWorkspaces = (ports: Ports): Page => new Workspaces(ports);

class Workspaces implements Page {
  readonly #ports: Ports;
  readonly #list: Listing<Workspace>;
  readonly #mayChange: boolean;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#mayChange = roleHas(ports.who.user.role, 'administer');
    this.#list = new Listing(async (_, signal) => {
      const answer = await ports.server.get<{ workspaces: Workspace[] }>('workspaces', signal);
      return answer.ok ? { ok: true, value: { items: answer.value.workspaces } } : answer;
    }, ports.changed);
  }

  close(): void {
    this.#list.close();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    return html`${
      this.#mayChange
        ? html`<div class="tools"><button class="primary" @click=${() => this.#make()}>${text('house.workspaces.make')}</button></div>`
        : nothing
    }
      ${this.#list.draw(this.#ports.words, 'house.workspaces.none')}
      <div class="wide" tabindex="0" role="region" aria-label=${text('house.workspaces')}><table>
      <thead><tr><th scope="col">${text('house.name')}</th><th scope="col">${text('house.id')}</th><th scope="col">${text('house.state')}</th>
        ${this.#mayChange ? html`<th scope="col">${text('house.acts')}</th>` : nothing}</tr></thead>
      <tbody>${this.#list.items.map((workspace) => this.#row(workspace))}</tbody></table></div>`;
  }

  #row(workspace: Workspace): TemplateResult {
    const { text } = this.#ports.words;
    const { id, name, status, isDefault } = workspace;
    return html`<tr class=${status === 'disabled' ? 'ended' : nothing}><th scope="row">${name}</th><td><code dir="ltr">${id}</code></td>
      <td>${text(`house.workspaces.${status}`)} ${isDefault ? text('house.workspaces.default') : nothing}</td>
      ${this.#mayChange ? html`<td>${this.#acts(workspace)}</td>` : nothing}</tr>`;
  }

  #acts(workspace: Workspace): TemplateResult {
    const { text } = this.#ports.words;
    const { name, status, isDefault } = workspace;
    const of = (act: string): string => `${act}: ${name}`;
    const other = status === 'active' ? 'disabled' : 'active';
    const toOther = text(`house.workspaces.to.${other}`);
    return html`<span class="acts">
      <button aria-label=${of(text('house.workspaces.rename'))} @click=${() => this.#rename(workspace)}>${text('house.workspaces.rename')}</button>
      ${
        isDefault
          ? nothing
          : html`<button aria-label=${of(toOther)} @click=${() => this.#setStatus(workspace, other)}>${toOther}</button>
            ${
              status === 'active'
                ? html`<button aria-label=${of(text('house.workspaces.to.default'))} @click=${() => this.#makeDefault(workspace)}>${text('house.workspaces.to.default')}</button>`
                : nothing
            }`
      }</span>`;
  }

  #make(): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<{ workspace: Workspace }>({
      title: text('house.workspaces.make'),
      draw: () => html`<p>${text('house.workspaces.what')}</p>
        <label>${text('house.name')} <input name="name" maxlength="200" autocomplete="off" required></label>`,
      confirm: text('house.workspaces.make'),
      send: (form, key) => server.send('POST', 'workspaces', { body: { name: fieldOf(form, 'name') }, key }),
      done: ({ workspace }) => {
        tell({ text: text('house.workspaces.made', { name: workspace.name }) });
        this.#list.reread();
      },
    });
  }

  #rename(workspace: Workspace): void {
    const { text } = this.#ports.words;
    const field = html`<label>${text('house.name')}
      <input name="name" maxlength="200" autocomplete="off" required .value=${workspace.name}></label>`;
    const title = text('house.workspaces.rename.title', { name: workspace.name });
    this.#change(workspace, title, field, (form) => ({ name: fieldOf(form, 'name') }), { name: workspace.name });
  }

  #setStatus(workspace: Workspace, status: Workspace['status']): void {
    const { text } = this.#ports.words;
    const what = html`<p>${text(`house.workspaces.what.${status}`)}</p>`;
    const title = text(`house.workspaces.title.${status}`, { name: workspace.name });
    this.#change(workspace, title, what, () => ({ status }), { status: workspace.status });
  }

  #makeDefault(workspace: Workspace): void {
    const { text } = this.#ports.words;
    const what = html`<p>${text('house.workspaces.what.default')}</p>`;
    this.#change(
      workspace,
      text('house.workspaces.title.default', { name: workspace.name }),
      what,
      () => ({ isDefault: true }),
      null,
    );
  }

  /** `before` undoes the change; null where another workspace would have to change. */
  #change(
    { id, name }: Workspace,
    title: string,
    fields: TemplateResult,
    bodyOf: (form: FormData) => Change,
    before: Change | null,
  ): void {
    const { ask, server, tell, words } = this.#ports;
    const send = (body: Change, key: string) => server.send('PATCH', `workspaces/${id}`, { body, key });
    const undo = async (key: string) => {
      const undone = await send(before!, key);
      this.#list.reread();
      return undone;
    };
    ask({
      title,
      draw: () => fields,
      confirm: words.text('house.save'),
      send: (form, key) => send(bodyOf(form), key),
      done: () => {
        tell({ text: words.text('house.workspaces.changed', { name }), ...(before && { undo }) });
        this.#list.reread();
      },
    });
  }
}
