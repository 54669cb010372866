/**
 * The form to sign in. It stands over a view whose session has ended, so the view keeps what was typed. A person who
 * has a token (an invitation, a lost password) sets a password with it here, and then signs in.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import type { Session } from './session.ts';

export class SignIn {
  readonly #words: Words;
  readonly #session: Session;
  readonly #changed: () => void;
  #isSending = false;
  #problem: string | null = null;
  #asks: 'password' | 'token' = 'password';
  #isSet = false;

  constructor(words: Words, session: Session, changed: () => void) {
    this.#words = words;
    this.#session = session;
    this.#changed = changed;
  }

  draw(hasEnded: boolean): TemplateResult {
    if (this.#asks === 'token') return this.#tokenForm();
    const { text } = this.#words;
    return html`<div><form class="sign-in" aria-labelledby="sign-in-title" @submit=${this.#submit}>
      <h1 id="sign-in-title">${text('session.title')}</h1>
      ${hasEnded ? html`<p>${text('session.ended')}</p>` : nothing}
      <label>${text('session.email')} <input name="email" type="email" autocomplete="username" required></label>
      <label>${text('session.password')}
        <input name="password" type="password" autocomplete="current-password" required></label>
      <p role="alert">${this.#problem ?? nothing}</p>
      ${this.#isSet ? html`<p role="status">${text('session.token.done')}</p>` : nothing}
      <button class="primary" ?disabled=${this.#isSending}>${text('session.enter')}</button>
    </form>
    <button @click=${() => this.#ask('token')}>${text('session.token.have')}</button></div>`;
  }

  #tokenForm(): TemplateResult {
    const { text } = this.#words;
    return html`<form class="sign-in" aria-labelledby="sign-in-title" @submit=${this.#setPassword}>
      <h1 id="sign-in-title">${text('session.token.title')}</h1>
      <label>${text('session.token')} <input name="token" dir="ltr" autocomplete="off" required></label>
      <label>${text('session.token.password')}
        <input name="password" type="password" autocomplete="new-password" minlength="10" maxlength="200" required></label>
      <p role="alert">${this.#problem ?? nothing}</p>
      <button class="primary" ?disabled=${this.#isSending}>${text('session.token.set')}</button>
      <button type="button" @click=${() => this.#ask('password')}>${text('frame.cancel')}</button>
    </form>`;
  }

  #ask(asks: 'password' | 'token'): void {
    this.#asks = asks;
    this.#problem = null;
    this.#changed();
  }

  #setPassword = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    this.#set(true, null);
    const answer = await this.#session.setPassword(String(form.get('token')).trim(), String(form.get('password')));
    const { text } = this.#words;
    this.#isSet = answer.ok;
    if (answer.ok) this.#asks = 'password';
    const refused = answer.ok ? null : text(answer.status === 401 ? 'session.token.refused' : 'session.silent');
    this.#set(false, refused);
  };

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    this.#set(true, null);
    const refused = await this.#session.signIn(String(form.get('email')), String(form.get('password')));
    this.#set(false, refused && this.#told(refused.status, refused.problem));
  };

  #told(status: number, { code, reason }: { code: string; reason?: string }): string {
    const { text } = this.#words;
    if (code === 'login_locked') return text('session.locked');
    if (reason === 'organisation_suspended') return text('session.suspended');
    return status === 401 || status === 422 ? text('session.refused') : text('session.silent');
  }

  #set(isSending: boolean, problem: string | null): void {
    this.#isSending = isSending;
    this.#problem = problem;
    this.#changed();
  }
}
