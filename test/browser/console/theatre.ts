/**
 * An organisation of its own for a file of console tests: a user for each role, a secret key of test mode, charts,
 * events, and signed-in pages. A call that the server refuses throws the answer.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { BoxOffice, Json } from '../box-office.ts';

const password = 'a long enough password';

export async function makeTheatre(office: BoxOffice, roles: readonly string[]): Promise<Theatre> {
  const theatre = new Theatre(office);
  await theatre.found(roles);
  return theatre;
}

export class Theatre {
  readonly #office: BoxOffice;
  id = '';
  #secret = '';
  #demoChartId: Promise<string> | null = null;

  constructor(office: BoxOffice) {
    this.#office = office;
  }

  async found(roles: readonly string[]): Promise<void> {
    const fields = { name: 'Civic theatre', currency: 'EUR', credits: 10 };
    this.id = (await this.admin('/organisations', fields)).organisation.id;
    const path = `/organisations/${this.id}`;
    for (const role of roles) await this.admin(`${path}/users`, { email: this.emailOf(role), password, role });
    this.#secret = (await this.admin(`${path}/keys`, { kind: 'secret', mode: 'test', origins: [] })).secret;
  }

  emailOf = (role: string): string => `${role}-${this.id}@theatre.example`.toLowerCase();

  /** With the root token. */
  admin = (path: string, body: object): Promise<Json> =>
    this.#send(this.#office.parterre.rootToken, 'POST', `/admin${path}`, body);

  /** With the key of the organisation. */
  call = (method: string, path: string, body?: object): Promise<Json> => this.#send(this.#secret, method, path, body);

  async #send(token: string, method: string, path: string, body?: object): Promise<Json> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.#office.parterre.url}/v1${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** The id of a published chart. */
  async makeChart(doc: Json = demoTheatre()): Promise<string> {
    const { meta } = await this.call('POST', '/charts', { name: doc.name, doc });
    await this.call('POST', `/charts/${meta.id}/publish`, {});
    return meta.id;
  }

  /** The key of a new event, on the demo's theatre where the fields name no chart. */
  async makeEvent(name: string, fields: { chartId?: string; [field: string]: unknown } = {}): Promise<string> {
    if (!fields.chartId) this.#demoChartId ??= this.makeChart();
    const chartId = fields.chartId ?? (await this.#demoChartId);
    return (await this.call('POST', '/events', { name, timezone: 'Europe/Vienna', ...fields, chartId })).meta.key;
  }

  /** A new event with its calls. */
  async openEvent({ name = 'Gala', ...fields }: { name?: string; chartId?: string } = {}) {
    const key = await this.makeEvent(name, fields);
    return {
      key,
      post: (action: string, body: object) => this.call('POST', `/events/${key}/${action}`, body),
      get: (action: string) => this.call('GET', `/events/${key}/${action}`),
    };
  }

  /** A page at this address of the console (`#/test/all/events`), signed in as the user of the role. */
  async open(role: string, address: string, looks?: BrowserContextOptions): Promise<Page> {
    const page = await this.openUnsigned(address, looks);
    await this.signIn(page, role);
    await page.locator('header.bar').waitFor();
    return page;
  }

  async openUnsigned(address = '', looks?: BrowserContextOptions): Promise<Page> {
    const page = await this.#office.newPage(looks);
    await page.goto(`${this.#office.parterre.url}/console${address}`);
    return page;
  }

  /** For the first time, or after the end of a session. */
  async signIn(page: Page, role: string, as = password): Promise<void> {
    await page.locator('input[name="email"]').fill(this.emailOf(role));
    await page.locator('input[name="password"]').fill(as);
    await page.locator('form.sign-in button').click();
  }
}

/** The demo's theatre with a fee of 3 in its first category. */
export function theatreWithFee(): Json {
  const doc: Json = demoTheatre();
  doc.categories[0].fees = [{ name: 'Service', amount: 3 }];
  return doc;
}
