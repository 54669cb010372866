/**
 * The operator's page: organisations, the health of all parts, and the audit of the deployment. It needs the root
 * token and no session, so it stands beside the views of users (console.ts).
 *
 * States: out → checking → in; checking → out with the reason (a wrong token, or no answer); in → out, when the
 * operator leaves, reloads the page, or the server refuses the token. The token is in memory only (root-server.ts).
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Clock } from '../../src/sale/clock.ts';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import '../frame/list-looks.ts';
import '../frame/page-looks.ts';
import type { PlainKey } from '../messages/words.ts';
import type { Server } from '../server/calls.ts';
import { openDeploymentAudit } from './deployment-audit.ts';
import { openHealth } from './health.ts';
import { openOrganisations } from './organisations.ts';
import type { OperatorPage, OperatorPorts } from './page.ts';
import { rootServer } from './root-server.ts';

const pages: Readonly<Record<string, { title: PlainKey; open(ports: OperatorPorts): OperatorPage }>> = {
  organisations: { title: 'house.operator.organisations', open: openOrganisations },
  health: { title: 'house.operator.health', open: openHealth },
  audit: { title: 'house.audit', open: openDeploymentAudit },
};
const firstPage = 'organisations';

type State = { kind: 'out' | 'checking'; problem: PlainKey | null } | { kind: 'in'; server: Server };

export class Operator {
  readonly #ports: Omit<OperatorPorts, 'server'>;
  readonly #clock: Clock;
  #state: State = { kind: 'out', problem: null };
  #open: { name: string; page: OperatorPage } | null = null;

  constructor(ports: Omit<OperatorPorts, 'server'>, clock: Clock) {
    this.#ports = ports;
    this.#clock = clock;
  }

  close(): void {
    this.#leave(null);
  }

  draw(place: ViewAddress): TemplateResult {
    const { text } = this.#ports.words;
    if (this.#state.kind !== 'in') return html`<div class="cover">${this.#signIn(this.#state)}</div>`;
    const name = this.#pageName(place);
    if (this.#open?.name !== name) {
      this.#open?.page.close();
      this.#open = { name, page: pages[name]!.open({ ...this.#ports, server: this.#state.server }) };
    }
    return html`<header class="event-head"><h1>${text('house.operator')}</h1>
        <button @click=${() => this.#leave(null)}>${text('house.operator.leave')}</button>
        <nav class="tabs" aria-label=${text('house.operator')}>${Object.entries(pages).map(
          ([each, { title }]) => html`<a href=${addressOf(beside(place, ['operator', each]))}
            aria-current=${each === name ? 'page' : nothing}>${text(title)}</a>`,
        )}</nav></header>
      <div class="page">${this.#open.page.draw(place)}</div>`;
  }

  #pageName({ path }: ViewAddress): string {
    const name = path[1] ?? firstPage;
    return Object.hasOwn(pages, name) ? name : firstPage;
  }

  #signIn({ kind, problem }: Extract<State, { problem: unknown }>): TemplateResult {
    const { text } = this.#ports.words;
    return html`<form class="sign-in" aria-labelledby="operator-title" @submit=${this.#enter}>
      <h1 id="operator-title">${text('house.operator')}</h1>
      <p class="warned">${text('house.operator.warning')}</p>
      <label>${text('house.operator.token')} <input name="token" type="password" dir="ltr" autocomplete="off" required></label>
      <p role="alert">${problem === null ? nothing : text(problem)}</p>
      <button class="primary" ?disabled=${kind === 'checking'}>${text('session.enter')}</button></form>`;
  }

  #enter = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const token = String(new FormData(form).get('token')).trim();
    this.#set({ kind: 'checking', problem: null });
    const server = rootServer(token, this.#clock, () => this.#leave('house.operator.refused'));
    const answer = await server.get('organisations?limit=1');
    if (answer.ok) {
      form.reset();
      this.#set({ kind: 'in', server });
    } else if (answer.status !== 401) this.#set({ kind: 'out', problem: 'session.silent' });
  };

  #leave(problem: PlainKey | null): void {
    this.#open?.page.close();
    this.#open = null;
    this.#set({ kind: 'out', problem });
  }

  #set(state: State): void {
    this.#state = state;
    this.#ports.changed();
  }
}
