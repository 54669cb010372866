/** The form to sign in. It stands over a view whose session has ended, so the view keeps what was typed. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import type { Session } from './session.ts';

export class SignIn {
  readonly #words: Words;
  readonly #session: Session;
  readonly #changed: () => void;
  #isSending = false;
  #problem: string | null = null;

  constructor(words: Words, session: Session, changed: () => void) {
    this.#words = words;
    this.#session = session;
    this.#changed = changed;
  }

  draw(hasEnded: boolean): TemplateResult {
    const { text } = this.#words;
    return html`<form class="sign-in" aria-labelledby="sign-in-title" @submit=${this.#submit}>
      <h1 id="sign-in-title">${text('session.title')}</h1>
      ${hasEnded ? html`<p>${text('session.ended')}</p>` : nothing}
      <label>${text('session.email')} <input name="email" type="email" autocomplete="username" required></label>
      <label>${text('session.password')}
        <input name="password" type="password" autocomplete="current-password" required></label>
      <p role="alert">${this.#problem ?? nothing}</p>
      <button class="primary" ?disabled=${this.#isSending}>${text('session.enter')}</button>
    </form>`;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    this.#set(true, null);
    const refused = await this.#session.signIn(String(form.get('email')), String(form.get('password')));
    this.#set(false, refused && this.#told(refused.status, refused.problem.code));
  };

  #told(status: number, code: string): string {
    const { text } = this.#words;
    if (code === 'login_locked') return text('session.locked');
    return status === 401 || status === 422 ? text('session.refused') : text('session.silent');
  }

  #set(isSending: boolean, problem: string | null): void {
    this.#isSending = isSending;
    this.#problem = problem;
    this.#changed();
  }
}
