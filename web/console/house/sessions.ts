/** The sessions of a user: where each began and was seen last. One ends, or all; the own session of this page stays. */

import { html, nothing, type TemplateResult } from 'lit-html';
import { Listing } from '../frame/listing.ts';
import { timeOf } from '../messages/words.ts';
import type { Ports } from '../view.ts';

type Session = {
  id: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  address: string | null;
  userAgent: string | null;
  via: string;
  current: boolean;
};

export class Sessions {
  readonly #ports: Ports;
  readonly #path: string;
  readonly #list: Listing<Session>;

  constructor(ports: Ports, userId: string) {
    this.#ports = ports;
    this.#path = `dashboard/users/${userId}/sessions`;
    this.#list = new Listing(async (_, signal) => {
      const answer = await ports.server.get<{ sessions: Session[] }>(this.#path, signal);
      return answer.ok ? { ok: true, value: { items: answer.value.sessions } } : answer;
    }, ports.changed);
  }

  close(): void {
    this.#list.close();
  }

  reread(): void {
    this.#list.reread();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const sessions = this.#list.items;
    const others = sessions.filter(({ current }) => !current).length;
    return html`<section aria-labelledby="sessions"><h2 id="sessions">${text('house.sessions')}</h2>
      ${this.#list.draw(this.#ports.words, 'house.sessions.none')}
      ${sessions.length === 0 ? nothing : this.#table(sessions)}
      ${others === 0 ? nothing : html`<p><button @click=${() => this.#end(null, others)}>${text('house.sessions.end.all')}</button></p>`}
    </section>`;
  }

  #table(sessions: readonly Session[]): TemplateResult {
    const { text } = this.#ports.words;
    const heads = ['house.sessions.began', 'house.sessions.seen', 'house.address', 'house.sessions.browser'] as const;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${text('house.sessions')}><table>
      <thead><tr>${heads.map((head) => html`<th scope="col">${text(head)}</th>`)}<th scope="col">${text('house.acts')}</th></tr></thead>
      <tbody>${sessions.map(
        (
          session,
        ) => html`<tr><td>${timeOf(this.#ports, session.createdAt)}</td><td>${timeOf(this.#ports, session.seenAt)}</td>
          <td>${session.address}</td><td>${session.userAgent}</td>
          <td>${
            session.current
              ? text('house.sessions.this')
              : html`<button @click=${() => this.#end(session.id, 1)}>${text('house.sessions.end')}</button>`
          }</td></tr>`,
      )}</tbody></table></div>`;
  }

  #end(id: string | null, count: number): void {
    const { ask, server, tell, words } = this.#ports;
    ask<{ ended: number }>({
      title: words.text('house.sessions.end.title', { count }),
      draw: () => html`<p>${words.text('house.sessions.end.what')}</p>`,
      confirm: words.text('house.sessions.end'),
      isDanger: true,
      send: (_, key) => server.send('DELETE', id === null ? this.#path : `${this.#path}/${id}`, { key }),
      done: ({ ended }) => {
        tell({ text: words.text('house.sessions.ended', { count: ended }) });
        this.#list.reread();
      },
    });
  }
}
