/**
 * The keys of the organisation in the mode of the address: made, bound to origins and budgets, revoked. A key is shown
 * once, when it is made.
 */

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ViewAddress } from '../address.ts';
import { fieldOf } from '../frame/field.ts';
import { Listing } from '../frame/listing.ts';
import { Secret } from '../frame/secret.ts';
import { timeOf } from '../messages/words.ts';
import type { Ports } from '../view.ts';
import type { Page } from './page.ts';

const budgetNames = {
  secret: ['serverHolds', 'seasons'],
  publishable: ['buyerHolds', 'buyerReads', 'buyerCalls'],
} as const;
type BudgetName = (typeof budgetNames)[keyof typeof budgetNames][number];
type Budgets = { [Name in BudgetName]?: number | null };

type Key = {
  id: string;
  prefix: string;
  kind: 'secret' | 'publishable';
  mode: string;
  workspaceId: string | null;
  origins: string[];
  budgets?: Budgets;
  createdAt: number;
  revokedAt: number | null;
};
type Minted = { counts: { sessions: number; accessLinks: number; webhooks: number } };
type Workspace = { id: string; name: string };

export const openKeys = (ports: Ports, place: ViewAddress): Page => new Keys(ports, place);

class Keys implements Page {
  readonly #ports: Ports;
  readonly #place: ViewAddress;
  readonly #list: Listing<Key>;
  readonly #secret: Secret;
  readonly #left = new AbortController();
  #workspaces: readonly Workspace[] = [];

  constructor(ports: Ports, place: ViewAddress) {
    this.#ports = ports;
    this.#place = place;
    this.#secret = new Secret(ports.words, ports.changed);
    this.#list = new Listing(async (cursor, signal) => {
      const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) });
      const answer = await ports.server.get<{ keys: Key[]; nextCursor?: string }>(`dashboard/keys?${query}`, signal);
      return answer.ok ? { ok: true, value: { items: answer.value.keys, next: answer.value.nextCursor } } : answer;
    }, ports.changed);
    void this.#readWorkspaces();
  }

  /** Without them the keys name their workspace by its id, and a new key is for all. */
  async #readWorkspaces(): Promise<void> {
    const answer = await this.#ports.server.get<{ workspaces: Workspace[] }>('workspaces', this.#left.signal);
    if (!answer.ok || this.#left.signal.aborted) return;
    this.#workspaces = answer.value.workspaces;
    this.#ports.changed();
  }

  close(): void {
    this.#left.abort();
    this.#list.close();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const { mode, workspaceId } = this.#place;
    const shown = this.#list.items.filter((key) => {
      return key.mode === mode && (workspaceId === null || key.workspaceId === null || key.workspaceId === workspaceId);
    });
    return html`<div class="tools"><button class="primary" @click=${() => this.#make()}>${text(`house.keys.make.${mode}`)}</button></div>
      ${this.#secret.draw()} ${this.#list.draw(this.#ports.words, 'house.keys.none')}
      ${shown.length === 0 ? nothing : this.#table(shown)}`;
  }

  #table(keys: readonly Key[]): TemplateResult {
    const { text } = this.#ports.words;
    const heads = [
      'house.keys.key',
      'house.keys.kind',
      'frame.workspace',
      'house.keys.origins',
      'house.keys.budgets',
      'house.made',
      'house.acts',
    ] as const;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.keys')}><table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${text(head)}</th>`)}</tr></thead>
      <tbody>${keys.map((key) => this.#row(key))}</tbody></table></div>`;
  }

  #row(key: Key): TemplateResult {
    const { text } = this.#ports.words;
    return html`<tr class=${key.revokedAt === null ? nothing : 'ended'}>
      <th scope="row"><code dir="ltr">${key.prefix}…</code></th><td>${text(`house.keys.kind.${key.kind}`)}</td>
      <td>${this.#workspaceOf(key.workspaceId)}</td>
      <td>${key.origins.map((origin) => html`<div dir="ltr">${origin}</div>`)}</td>
      <td>${this.#budgetsOf(key)}</td><td>${timeOf(this.#ports, key.createdAt)}</td>
      <td>${key.revokedAt === null ? this.#acts(key) : text('house.keys.revoked', { time: timeOf(this.#ports, key.revokedAt) })}</td></tr>`;
  }

  #workspaceOf(id: string | null): string {
    if (id === null) return this.#ports.words.text('frame.workspace.all');
    return this.#workspaces.find((workspace) => workspace.id === id)?.name ?? id;
  }

  #budgetsOf({ budgets = {} }: Key): TemplateResult[] | string {
    const { text } = this.#ports.words;
    const set = Object.entries(budgets) as [BudgetName, number | null][];
    if (set.length === 0) return text('house.keys.budgets.usual');
    return set.map(([name, most]) => {
      const told = most === null ? text('house.keys.budget.none') : text('house.keys.budget.most', { most });
      return html`<div>${text(`house.keys.budget.${name}`)}: ${told}</div>`;
    });
  }

  #acts(key: Key): TemplateResult {
    const { text } = this.#ports.words;
    const of = (act: string): string => `${act}: ${key.prefix}`;
    return html`<span class="acts">
      ${
        key.kind === 'publishable'
          ? html`<button aria-label=${of(text('house.keys.origins'))} @click=${() => this.#changeOrigins(key)}>${text('house.keys.origins')}</button>`
          : nothing
      }
      <button aria-label=${of(text('house.keys.budgets'))} @click=${() => this.#changeBudgets(key)}>${text('house.keys.budgets')}</button>
      <button aria-label=${of(text('house.keys.revoke'))} @click=${() => this.#revoke(key)}>${text('house.keys.revoke')}</button></span>`;
  }

  #make(): void {
    const { ask, server, words } = this.#ports;
    const { text } = words;
    const { mode, workspaceId } = this.#place;
    ask<{ key: Key; secret: string }>({
      title: text(`house.keys.make.${mode}`),
      draw: () => html`<label>${text('house.keys.kind')} <select name="kind">
          <option value="secret">${text('house.keys.kind.secret')}: ${text('house.keys.kind.secret.what')}</option>
          <option value="publishable">${text('house.keys.kind.publishable')}: ${text('house.keys.kind.publishable.what')}</option></select></label>
        <label>${text('frame.workspace')} <select name="workspace"><option value="">${text('frame.workspace.all')}</option>
          ${this.#workspaces.map(({ id, name }) => html`<option value=${id} ?selected=${id === workspaceId}>${name}</option>`)}</select></label>
        ${this.#originsField([])}`,
      confirm: text('house.keys.make.confirm'),
      send: (form, key) => {
        const kind = fieldOf(form, 'kind');
        const origins = kind === 'publishable' ? { origins: linesOf(form, 'origins') } : {};
        const body = { kind, mode, workspaceId: fieldOf(form, 'workspace') || null, ...origins };
        return server.send('POST', 'dashboard/keys', { body, key });
      },
      done: ({ key, secret }) => {
        this.#secret.show(text('house.keys.secret', { kind: text(`house.keys.kind.${key.kind}`) }), secret);
        this.#list.reread();
      },
    });
  }

  #originsField(origins: readonly string[]): TemplateResult {
    const { text } = this.#ports.words;
    return html`<label>${text('house.keys.origins.field')}
      <textarea name="origins" rows="3" dir="ltr" placeholder="https://shop.example">${origins.join('\n')}</textarea></label>`;
  }

  #changeOrigins(key: Key): void {
    const { words } = this.#ports;
    const { text } = words;
    this.#change(key, {
      title: text('house.keys.origins.title', { key: key.prefix }),
      fields: html`<p>${text('house.keys.origins.what')}</p>${this.#originsField(key.origins)}`,
      bodyOf: (form) => ({ origins: linesOf(form, 'origins') }),
      before: { origins: key.origins },
    });
  }

  #changeBudgets(key: Key): void {
    const { text } = this.#ports.words;
    const { budgets = {} } = key;
    const names = budgetNames[key.kind];
    this.#change(key, {
      title: text('house.keys.budgets.title', { key: key.prefix }),
      fields: html`<p>${text('house.keys.budgets.what')}</p>${names.map(
        (name) => html`<label>${text(`house.keys.budget.${name}`)}
          <input name=${name} inputmode="numeric" pattern="[0-9]*|off" autocomplete="off" .value=${budgets[name] === null ? 'off' : String(budgets[name] ?? '')}></label>`,
      )}`,
      bodyOf: (form) => ({ budgets: budgetsIn(form, names) }),
      before: { budgets: key.budgets ?? null },
    });
  }

  #change(
    key: Key,
    change: { title: string; fields: TemplateResult; bodyOf(form: FormData): object; before: object },
  ): void {
    const { ask, server, tell, words } = this.#ports;
    const send = (body: object, act: string) => server.send('PATCH', `dashboard/keys/${key.id}`, { body, key: act });
    ask({
      title: change.title,
      draw: () => change.fields,
      confirm: words.text('house.save'),
      send: (form, act) => send(change.bodyOf(form), act),
      done: () => {
        const undo = async (act: string) => {
          const undone = await send(change.before, act);
          this.#list.reread();
          return undone;
        };
        tell({ text: words.text('house.keys.changed', { key: key.prefix }), undo });
        this.#list.reread();
      },
    });
  }

  #revoke({ id, prefix, kind }: Key): void {
    const { ask, server, tell, words } = this.#ports;
    const { text, number } = words;
    ask<{ ended: Minted; left: Minted }>({
      title: text('house.keys.revoke.title', { key: prefix }),
      draw: () => html`<p>${text(`house.keys.revoke.what.${kind}`)}</p>
        ${kind === 'secret' ? html`<label class="check"><input type="checkbox" name="ends"> ${text('house.ends')}</label>` : nothing}`,
      confirm: text('house.keys.revoke'),
      isDanger: true,
      send: (form, key) =>
        server.send('DELETE', `dashboard/keys/${id}${form.has('ends') ? '?endSessions=1' : ''}`, { key }),
      done: ({ ended, left }) => {
        const told = ({ counts: { sessions, accessLinks, webhooks } }: Minted) => {
          return { sessions: number(sessions), links: number(accessLinks), webhooks: number(webhooks) };
        };
        tell({
          text: `${text('house.keys.revoke.done', { key: prefix })} ${text('house.ended', told(ended))} ${text('house.left', told(left))}`,
        });
        this.#list.reread();
      },
    });
  }
}

function linesOf(form: FormData, name: string): string[] {
  return fieldOf(form, name).split(/\s+/).filter(Boolean);
}

/** Null where no budget is set: the key has the deployment's. */
function budgetsIn(form: FormData, names: readonly BudgetName[]): Budgets | null {
  const set = names.flatMap((name): [BudgetName, number | null][] => {
    const typed = fieldOf(form, name);
    return typed === '' ? [] : [[name, typed === 'off' ? null : Number(typed)]];
  });
  return set.length === 0 ? null : Object.fromEntries(set);
}
