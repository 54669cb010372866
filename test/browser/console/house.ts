/** A house of its own for the tests of the console's first pages: its organisation, users, keys and charts. */
import type { Page } from 'playwright-core';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { BoxOffice, Json } from '../box-office.ts';

const password = 'a long enough password';

export class House {
  readonly #office: BoxOffice;
  id = '';
  #secret = '';
  readonly #emails = new Map<Page, string>();

  constructor(office: BoxOffice) {
    this.#office = office;
  }

  async found(fields: object = {}): Promise<void> {
    const { organisation } = await this.#admin('', { name: 'Civic theatre', currency: 'EUR', credits: 10, ...fields });
    this.id = organisation.id;
    const { secret } = await this.#admin(`/${this.id}/keys`, { kind: 'secret', mode: 'test', origins: [] });
    this.#secret = secret;
  }

  async #admin(path: string, body: object): Promise<Json> {
    const headers = { Authorization: `Bearer ${this.#office.parterre.rootToken}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${this.#office.parterre.url}/v1/admin/organisations${path}`, init)).json();
  }

  /** With the test key of the house. */
  async call(method: string, path: string, body?: object): Promise<Json> {
    const headers = { Authorization: `Bearer ${this.#secret}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${this.#office.parterre.url}/v1${path}`, init)).json();
  }

  /** The id of a published chart. */
  async chart(name = 'Demo theatre'): Promise<string> {
    const { meta } = await this.call('POST', '/charts', { name, doc: { ...demoTheatre(), name } });
    await this.call('POST', `/charts/${meta.id}/publish`, {});
    return meta.id;
  }

  /** A page of a fresh user of this role, signed in at the address. */
  async page(role: string, address: string, looks = {}): Promise<Page> {
    const email = `${role}-${crypto.randomUUID()}@theatre.example`;
    await this.#admin(`/${this.id}/users`, { email, password, role });
    const page = await this.#office.newPage(looks);
    await page.goto(`${this.#office.parterre.url}/console${address}`);
    this.#emails.set(page, email);
    await this.signIn(page);
    return page;
  }

  /** The user of the page signs in, for the first time or again. */
  async signIn(page: Page): Promise<void> {
    await page.locator('input[name="email"]').fill(this.#emails.get(page)!);
    await page.locator('input[name="password"]').fill(password);
    await page.locator('form.sign-in button').click();
  }
}
