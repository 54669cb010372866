/** An organisation with its people and events, for tests of the console. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { BoxOffice, Json } from '../box-office.ts';

const password = 'a long enough password';

export type House = Awaited<ReturnType<typeof openHouse>>;

/** Users of these roles, and a secret key for test events. */
export async function openHouse(office: BoxOffice, roles: readonly string[]) {
  const { url, rootToken } = office.parterre;
  const ask = async (method: string, path: string, token: string, body?: object): Promise<Json> => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    };
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const told = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(told)}`);
    return told;
  };
  const { organisation } = await ask('POST', '/admin/organisations', rootToken, {
    name: 'Civic theatre',
    currency: 'EUR',
    credits: 10,
  });
  const emailOf = (role: string): string => `${role}-${organisation.id}@theatre.example`.toLowerCase();
  const under = `/admin/organisations/${organisation.id}`;
  for (const role of roles) await ask('POST', `${under}/users`, rootToken, { email: emailOf(role), password, role });
  const key = { kind: 'secret', mode: 'test', origins: [] };
  const { secret } = await ask('POST', `${under}/keys`, rootToken, key);
  const call = (method: string, path: string, body?: object): Promise<Json> => ask(method, path, secret, body);

  const signIn = async (page: Page, role = 'box_office'): Promise<void> => {
    await page.getByLabel('Email').or(page.getByLabel('E-Mail')).fill(emailOf(role));
    await page.getByLabel('Password').or(page.getByLabel('Passwort')).fill(password);
    await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  };
  return {
    call,
    signIn,
    /** A published chart: the demo's theatre, with a fee of 3 in its first category. */
    async makeChart(doc: Json = demoTheatre()): Promise<string> {
      doc.categories[0].fees = [{ name: 'Service', amount: 3 }];
      const { meta } = await call('POST', '/charts', { name: doc.name, doc });
      await call('POST', `/charts/${meta.id}/publish`, {});
      return meta.id;
    },
    /** The calls of a new event. */
    async makeEvent(chartId: string, name = 'Gala', more = {}) {
      const { meta } = await call('POST', '/events', { chartId, name, timezone: 'Europe/Berlin', ...more });
      const path = `/events/${meta.key}`;
      return {
        key: meta.key as string,
        post: (action: string, body: object) => call('POST', `${path}/${action}`, body),
        get: (action: string) => call('GET', `${path}/${action}`),
      };
    },
    /** A page of the console behind the sign-in. */
    async open(address: string, { role = 'box_office', ...looks }: { role?: string } & BrowserContextOptions = {}) {
      const page = await office.newPage(looks);
      await page.goto(`${url}/console#/test/all/event/${address}`);
      await signIn(page, role);
      return page;
    },
  };
}
