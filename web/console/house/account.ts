/** The own account: the password, and the sessions. */
import { html, type TemplateResult } from 'lit-html';
import type { Ports } from '../view.ts';
import type { Page } from './page.ts';
import { Sessions } from './sessions.ts';

export const openAccount = (ports: Ports): Page => new Account(ports);

class Account implements Page {
  readonly #ports: Ports;
  readonly #sessions: Sessions;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#sessions = new Sessions(ports, ports.who.user.id);
  }

  close(): void {
    this.#sessions.close();
  }

  draw(): TemplateResult {
    const { words, who } = this.#ports;
    const { text } = words;
    const { role } = who.user;
    return html`<section aria-labelledby="me"><h2 id="me">${who.user.email}</h2>
        <p>${text('house.account.role', { role: typeof role === 'string' ? text(`role.${role}`) : '', organisation: who.organisation.name })}</p>
        <p><button @click=${() => this.#changePassword()}>${text('house.password.change')}</button></p></section>
      ${this.#sessions.draw()}`;
  }

  #changePassword(): void {
    const { ask, server, tell, words } = this.#ports;
    const { text } = words;
    ask<{ ended: number }>({
      title: text('house.password.change'),
      draw: () => html`<p>${text('house.password.what')}</p>
        <label>${text('house.password.old')} <input type="password" name="old" autocomplete="current-password" required></label>
        <label>${text('house.password.new')}
          <input type="password" name="new" autocomplete="new-password" minlength="10" maxlength="200" required></label>`,
      confirm: text('house.password.change'),
      send: (form, key) => {
        const body = { oldPassword: String(form.get('old')), password: String(form.get('new')) };
        return server.send('POST', 'dashboard/password', { body, key });
      },
      done: ({ ended }) => {
        tell({ text: `${text('house.password.changed')} ${text('house.sessions.ended', { count: ended })}` });
        this.#sessions.reread();
      },
    });
  }
}
