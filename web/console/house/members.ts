/** The users of the organisation and their roles. Nobody changes the own user; the server keeps the last owner. */

import type { Role } from '@parterre/shared/protocol/catalog/scope';
import { roles } from '@parterre/shared/protocol/catalog/scope';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import { fieldOf } from '../frame/field.ts';
import { Listing } from '../frame/listing.ts';
import { Secret } from '../frame/secret.ts';
import { timeOf } from '../messages/words.ts';
import type { Ports } from '../view.ts';
import type { Page } from './page.ts';
import { Sessions } from './sessions.ts';

type User = { id: string; email: string; role: Role; createdAt: number };
type Token = { token: string; expiresAt: number };

const choices = roles.filter((role) => role !== 'admin' && role !== 'member');

/** `house/members/usr_1` has the sessions of a user. */
export const openMembers = (ports: Ports, { path }: ViewAddress): Page => new Members(ports, path[2] ?? null);

class Members implements Page {
  readonly #ports: Ports;
  readonly #list: Listing<User>;
  readonly #secret: Secret;
  readonly #sessions: Sessions | null;
  readonly #openId: string | null;

  constructor(ports: Ports, openId: string | null) {
    this.#ports = ports;
    this.#openId = openId;
    this.#secret = new Secret(ports.words, ports.changed);
    this.#sessions = openId === null ? null : new Sessions(ports, openId);
    this.#list = new Listing(async (cursor, signal) => {
      const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) });
      const answer = await ports.server.get<{ users: User[]; nextCursor?: string }>(`dashboard/users?${query}`, signal);
      return answer.ok ? { ok: true, value: { items: answer.value.users, next: answer.value.nextCursor } } : answer;
    }, ports.changed);
  }

  close(): void {
    this.#list.close();
    this.#sessions?.close();
  }

  draw(place: ViewAddress): TemplateResult {
    const { text } = this.#ports.words;
    if (this.#sessions !== null) {
      const user = this.#list.items.find(({ id }) => id === this.#openId);
      return html`<p><a href=${addressOf(beside(place, ['house', 'members']))}>${text('house.members')}</a></p>
        <p><strong>${user?.email ?? this.#openId}</strong></p>${this.#sessions.draw()}`;
    }
    return html`<div class="tools"><button class="primary" @click=${() => this.#invite()}>${text('house.members.invite')}</button></div>
      ${this.#secret.draw()} ${this.#list.draw(this.#ports.words, 'house.members.none')}
      ${this.#list.items.length === 0 ? nothing : this.#table(place)}`;
  }

  #table(place: ViewAddress): TemplateResult {
    const { text } = this.#ports.words;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.members')}><table>
      <thead><tr><th scope="col">${text('session.email')}</th><th scope="col">${text('house.role')}</th>
        <th scope="col">${text('house.made')}</th><th scope="col">${text('house.acts')}</th></tr></thead>
      <tbody>${this.#list.items.map(
        (user) => html`<tr><th scope="row">${user.email}</th><td>${text(`role.${user.role}`)}</td>
          <td>${timeOf(this.#ports, user.createdAt)}</td><td>${this.#acts(user, place)}</td></tr>`,
      )}</tbody></table></div>`;
  }

  #acts(user: User, place: ViewAddress): TemplateResult {
    const { text } = this.#ports.words;
    const of = (act: string): string => `${act}: ${user.email}`;
    if (user.id === this.#ports.who.user.id) {
      return html`<a href=${addressOf(beside(place, ['house', 'account']))}>${text('house.members.you')}</a>`;
    }
    return html`<span class="acts">
      <button aria-label=${of(text('house.members.role'))} @click=${() => this.#changeRole(user)}>${text('house.members.role')}</button>
      <button aria-label=${of(text('house.members.reset'))} @click=${() => this.#reset(user)}>${text('house.members.reset')}</button>
      <a class="button" aria-label=${of(text('house.sessions'))} href=${addressOf(beside(place, ['house', 'members', user.id]))}>${text('house.sessions')}</a>
      <button aria-label=${of(text('house.members.remove'))} @click=${() => this.#remove(user)}>${text('house.members.remove')}</button></span>`;
  }

  #roleField(present: Role): TemplateResult {
    const { text } = this.#ports.words;
    return html`<label>${text('house.role')} <select name="role">${choices.map(
      (role) =>
        html`<option value=${role} ?selected=${role === present}>${text(`role.${role}`)}: ${text(`house.role.${role}`)}</option>`,
    )}</select></label>`;
  }

  #invite(): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<Token & { user: User }>({
      title: text('house.members.invite'),
      draw: () => html`<p>${text('house.members.invite.what')}</p>
        <label>${text('session.email')} <input name="email" type="email" autocomplete="off" required></label>
        ${this.#roleField('box_office')}`,
      confirm: text('house.members.invite'),
      send: (form, key) => {
        const body = { email: fieldOf(form, 'email'), role: fieldOf(form, 'role') };
        return server.send('POST', 'dashboard/users', { body, key });
      },
      done: ({ token, user }) => {
        tell({ text: text('house.members.invited', { email: user.email }) });
        this.#secret.show(text('house.members.token', { email: user.email }), token);
        this.#list.reread();
      },
    });
  }

  #changeRole({ id, email, role }: User): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    const send = (to: string, key: string) => {
      return server.send<{ user: User }>('PATCH', `dashboard/users/${id}`, { body: { role: to }, key });
    };
    ask<{ user: User }>({
      title: text('house.members.role.title', { email }),
      draw: () => html`<p>${text('house.members.role.what')}</p>${this.#roleField(role)}`,
      confirm: text('house.members.role.confirm'),
      send: (form, key) => send(fieldOf(form, 'role'), key),
      done: ({ user }) => {
        const undo = async (key: string) => {
          const undone = await send(role, key);
          this.#list.reread();
          return undone;
        };
        tell({ text: text('house.members.role.done', { email, role: text(`role.${user.role}`) }), undo });
        this.#list.reread();
      },
    });
  }

  #reset({ id, email }: User): void {
    const { ask, server, words } = this.#ports;
    const { text } = words;
    ask<Token>({
      title: text('house.members.reset.title', { email }),
      draw: () => html`<p>${text('house.members.reset.what')}</p>`,
      confirm: text('house.members.reset.confirm'),
      send: (_, key) => server.send('POST', `dashboard/users/${id}/password-reset`, { body: {}, key }),
      done: ({ token }) => this.#secret.show(text('house.members.token', { email }), token),
    });
  }

  #remove({ id, email }: User): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask({
      title: text('house.members.remove.title', { email }),
      draw: () => html`<p>${text('house.members.remove.what')}</p>
        <label class="check"><input type="checkbox" name="ends"> ${text('house.ends')}</label>`,
      confirm: text('house.members.remove'),
      isDanger: true,
      send: (form, key) =>
        server.send('DELETE', `dashboard/users/${id}${form.has('ends') ? '?endSessions=1' : ''}`, { key }),
      done: () => {
        tell({ text: text('house.members.removed', { email }) });
        this.#list.reread();
      },
    });
  }
}
