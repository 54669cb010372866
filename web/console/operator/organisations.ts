/** The organisations of the deployment: made with a first owner, given credits, suspended, and let go on. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { fieldOf } from '../frame/field.ts';
import { Listing } from '../frame/listing.ts';
import { type Column, Rows } from '../frame/rows.ts';
import { Secret } from '../frame/secret.ts';
import { timeOf } from '../messages/words.ts';
import type { OperatorPage, OperatorPorts } from './page.ts';

type Organisation = {
  id: string;
  name: string;
  currency: string;
  credits: number;
  createdAt: number;
  suspendedAt: number | null;
};

export const openOrganisations = (ports: OperatorPorts): OperatorPage => new Organisations(ports);

class Organisations implements OperatorPage {
  readonly #ports: OperatorPorts;
  readonly #list: Listing<Organisation>;
  readonly #table: Rows<Organisation>;
  readonly #secret: Secret;

  constructor(ports: OperatorPorts) {
    this.#ports = ports;
    this.#table = new Rows(ports.words.text('house.operator.organisations'), ports.changed);
    this.#secret = new Secret(ports.words, ports.changed);
    this.#list = new Listing(async (cursor, signal) => {
      const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) });
      type Answer = { organisations: Organisation[]; nextCursor?: string };
      const answer = await ports.server.get<Answer>(`organisations?${query}`, signal);
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.organisations, next: answer.value.nextCursor } };
    }, ports.changed);
  }

  close(): void {
    this.#list.close();
  }

  draw(): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    return html`<div class="tools"><button class="primary" @click=${() => this.#make()}>${text('house.operator.make')}</button></div>
      ${this.#secret.draw()} ${this.#list.draw(words, 'house.operator.none')}
      ${this.#list.items.length === 0 ? nothing : this.#table.draw(this.#list.items, this.#columns())}`;
  }

  #columns(): readonly Column<Organisation>[] {
    const { text, number } = this.#ports.words;
    return [
      {
        id: 'name',
        title: text('house.name'),
        draw: ({ name }) => html`<strong>${name}</strong>`,
        sortBy: ({ name }) => name,
      },
      { id: 'id', title: text('house.id'), draw: ({ id }) => html`<code dir="ltr">${id}</code>` },
      {
        id: 'currency',
        title: text('house.operator.currency'),
        draw: ({ currency }) => currency,
        sortBy: ({ currency }) => currency,
      },
      {
        id: 'credits',
        title: text('house.credits.balance'),
        isNumber: true,
        draw: ({ credits }) => number(credits),
        sortBy: ({ credits }) => credits,
      },
      {
        id: 'made',
        title: text('house.made'),
        draw: ({ createdAt }) => timeOf(this.#ports, createdAt),
        sortBy: ({ createdAt }) => createdAt,
      },
      {
        id: 'state',
        title: text('house.state'),
        draw: ({ suspendedAt }) =>
          suspendedAt === null
            ? text('house.operator.active')
            : text('house.operator.suspended', { time: timeOf(this.#ports, suspendedAt) }),
      },
      { id: 'acts', title: text('house.acts'), draw: (organisation) => this.#acts(organisation) },
    ];
  }

  #acts(organisation: Organisation): TemplateResult {
    const { text } = this.#ports.words;
    const of = (act: string): string => `${act}: ${organisation.name}`;
    const suspend = text(organisation.suspendedAt === null ? 'house.operator.suspend' : 'house.operator.resume');
    return html`<span class="acts">
      <button aria-label=${of(text('house.operator.credits'))} @click=${() => this.#addCredits(organisation)}>${text('house.operator.credits')}</button>
      <button aria-label=${of(text('house.operator.owner'))} @click=${() => this.#addOwner(organisation)}>${text('house.operator.owner')}</button>
      <button aria-label=${of(suspend)} @click=${() => this.#suspend(organisation)}>${suspend}</button></span>`;
  }

  #make(): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<{ organisation: Organisation }>({
      title: text('house.operator.make'),
      draw: () => html`<label>${text('house.name')} <input name="name" maxlength="200" autocomplete="off" required></label>
        <label>${text('house.operator.currency')} <input name="currency" pattern="[A-Z]{3}" maxlength="3" placeholder="EUR" autocomplete="off" required></label>
        <label>${text('house.operator.first')} <input name="credits" type="number" min="0" step="1" value="0" required></label>`,
      confirm: text('house.operator.make'),
      send: (form, key) => {
        const body = {
          name: fieldOf(form, 'name'),
          currency: fieldOf(form, 'currency'),
          credits: Number(form.get('credits')),
        };
        return server.send('POST', 'organisations', { body, key });
      },
      done: ({ organisation }) => {
        tell({ text: text('house.operator.made', { name: organisation.name }) });
        this.#list.reread();
      },
    });
  }

  #addCredits({ id, name, credits }: Organisation): void {
    const { ask, server, tell, words } = this.#ports;
    const { text, number } = words;
    const send = (delta: number, reason: string, key: string) => {
      return server.send<{ organisation: Organisation }>('POST', `organisations/${id}/credits`, {
        body: { delta, reason },
        key,
      });
    };
    let delta = 0;
    ask<{ organisation: Organisation }>({
      title: text('house.operator.credits.title', { name }),
      draw: () => html`<p>${text('house.operator.credits.what', { credits: number(credits) })}</p>
        <label>${text('house.credits.delta')} <input name="delta" type="number" step="1" autocomplete="off" required></label>
        <label>${text('house.reason')} <input name="reason" maxlength="500" autocomplete="off" required></label>`,
      confirm: text('house.operator.credits'),
      send: (form, key) => {
        delta = Number(form.get('delta'));
        return send(delta, fieldOf(form, 'reason'), key);
      },
      done: ({ organisation }) => {
        const undo = async (key: string) => {
          const undone = await send(-delta, text('house.operator.credits.undone'), key);
          this.#list.reread();
          return undone;
        };
        tell({ text: text('house.operator.credits.done', { name, credits: number(organisation.credits) }), undo });
        this.#list.reread();
      },
    });
  }

  /** The server wants a password: one that nobody keeps, and then a token with which the owner sets another. */
  #addOwner({ id, name }: Organisation): void {
    const { ask, server, words } = this.#ports;
    const { text } = words;
    ask<{ token: string; email: string }>({
      title: text('house.operator.owner.title', { name }),
      draw: () => html`<p>${text('house.members.invite.what')}</p>
        <label>${text('session.email')} <input name="email" type="email" autocomplete="off" required></label>`,
      confirm: text('house.operator.owner'),
      send: async (form, key) => {
        const email = fieldOf(form, 'email');
        const body = { email, role: 'owner', password: `${crypto.randomUUID()}${crypto.randomUUID()}` };
        const made = await server.send<{ user: { id: string } }>('POST', `organisations/${id}/users`, { body, key });
        if (!made.ok) return made;
        const path = `organisations/${id}/users/${made.value.user.id}/password-reset`;
        const begun = await server.send<{ token: string }>('POST', path, { body: {} });
        return begun.ok ? { ok: true, value: { ...begun.value, email } } : begun;
      },
      done: ({ token, email }) => this.#secret.show(text('house.members.token', { email }), token),
    });
  }

  #suspend({ id, name, suspendedAt }: Organisation): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    const isSuspended = suspendedAt !== null;
    const act = isSuspended ? 'resume' : 'suspend';
    const send = (suspended: boolean, key: string) =>
      server.send('PATCH', `organisations/${id}`, { body: { suspended }, key });
    ask({
      title: text(`house.operator.${act}.title`, { name }),
      draw: () => html`<p>${text(`house.operator.${act}.what`)}</p>`,
      confirm: text(`house.operator.${act}`),
      isDanger: !isSuspended,
      send: (_, key) => send(!isSuspended, key),
      done: () => {
        const undo = async (key: string) => {
          const undone = await send(isSuspended, key);
          this.#list.reread();
          return undone;
        };
        tell({ text: text(`house.operator.${act}.done`, { name }), undo });
        this.#list.reread();
      },
    });
  }
}
