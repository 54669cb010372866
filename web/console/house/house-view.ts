/**
 * The house: the own account for everybody, and what an owner runs. Each page has an address, `house/keys`, and its
 * code comes with the house. A page that the user's role may not see is not named, and its address shows the first
 * page.
 */
import { type Right, roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import '../frame/list-looks.ts';
import '../frame/page-looks.ts';
import type { PlainKey } from '../messages/words.ts';
import type { Ports, View } from '../view.ts';
import { openAccount } from './account.ts';
import { openAudit } from './audit.ts';
import { openCredits } from './credits.ts';
import { openKeys } from './keys.ts';
import { openMembers } from './members.ts';
import type { OpenPage, Page } from './page.ts';
import { openWebhooks } from './webhooks.ts';
import { openWorkspaces } from './workspaces.ts';

const pages: Readonly<Record<string, { title: PlainKey; needs: Right; open: OpenPage }>> = {
  account: { title: 'house.account', needs: 'see', open: openAccount },
  members: { title: 'house.members', needs: 'administer', open: openMembers },
  keys: { title: 'house.keys', needs: 'administer', open: openKeys },
  workspaces: { title: 'house.workspaces', needs: 'see', open: openWorkspaces },
  webhooks: { title: 'house.webhooks', needs: 'see', open: openWebhooks },
  credits: { title: 'house.credits', needs: 'administer', open: openCredits },
  audit: { title: 'house.audit', needs: 'administer', open: openAudit },
};

export const openHouse = (place: ViewAddress, ports: Ports): View => new House(place, ports);

class House implements View {
  readonly #ports: Ports;
  #place: ViewAddress;
  #name: string;
  #page: Page;

  constructor(place: ViewAddress, ports: Ports) {
    this.#ports = ports;
    this.#place = place;
    this.#name = this.#nameOf(place);
    this.#page = pages[this.#name]!.open(ports, place);
  }

  get title(): string {
    return this.#ports.words.text(pages[this.#name]!.title);
  }

  #mayOpen(name: string): boolean {
    return Object.hasOwn(pages, name) && roleHas(this.#ports.who.user.role, pages[name]!.needs);
  }

  #nameOf({ path }: ViewAddress): string {
    const name = path[1] ?? 'account';
    return this.#mayOpen(name) ? name : 'account';
  }

  moved(place: ViewAddress): boolean {
    const { mode, workspaceId } = this.#place;
    if (place.path[0] !== 'house' || place.mode !== mode || place.workspaceId !== workspaceId) return false;
    const before = this.#place;
    this.#place = place;
    const name = this.#nameOf(place);
    if (name !== this.#name || place.path[2] !== before.path[2]) {
      this.#page.close();
      this.#name = name;
      this.#page = pages[name]!.open(this.#ports, place);
    }
    return true;
  }

  close(): void {
    this.#page.close();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const open = Object.entries(pages).filter(([name]) => this.#mayOpen(name));
    return html`<header class="event-head"><h1>${text('house.title')}</h1>
      <nav class="tabs" aria-label=${text('house.title')}>${open.map(
        ([name, { title }]) => html`<a href=${addressOf(beside(this.#place, ['house', name]))}
          aria-current=${name === this.#name ? 'page' : nothing}>${text(title)}</a>`,
      )}</nav></header>
      <div class="page">${this.#page.draw(this.#place)}</div>`;
  }
}
