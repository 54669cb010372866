/**
 * An organisation of its own for a file of console tests: its users by role, a secret test key, and signed-in pages.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { BoxOffice, Json } from '../box-office.ts';

const password = 'a long enough password';

export type Theatre = {
  id: string;
  secret: string;
  /** A call with the key. Throws the answer of a refusal. */
  call(method: string, path: string, body?: object): Promise<Json>;
  /** A call with the root token. */
  admin(path: string, body: object): Promise<Json>;
  emailOf(role: string): string;
  password: string;
  /** A new event of the demo's chart. */
  makeEvent(name: string): Promise<string>;
  /** A page at this address of the console, signed in as the user of this role. */
  open(address: string, role?: string, looks?: BrowserContextOptions): Promise<Page>;
};

export async function makeTheatre(office: BoxOffice, roles: readonly string[]): Promise<Theatre> {
  const { url, rootToken } = office.parterre;
  const sent = async (token: string, method: string, path: string, body?: object): Promise<Json> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const admin = (path: string, body: object) => sent(rootToken, 'POST', `/admin${path}`, body);
  const { organisation } = await admin('/organisations', { name: 'Civic theatre', currency: 'EUR', credits: 1_000 });
  const id: string = organisation.id;
  const emailOf = (role: string): string => `${role}-${id.toLowerCase()}@theatre.example`;
  for (const role of roles) await admin(`/organisations/${id}/users`, { email: emailOf(role), password, role });
  const { secret } = await admin(`/organisations/${id}/keys`, { kind: 'secret', mode: 'test', origins: [] });
  const call: Theatre['call'] = (method, path, body) => sent(secret, method, path, body);
  let chartId: string | null = null;
  return {
    id,
    secret,
    call,
    admin,
    emailOf,
    password,
    async makeEvent(name) {
      if (chartId === null) {
        const doc = demoTheatre();
        chartId = (await call('POST', '/charts', { name: doc.name, doc })).meta.id as string;
        await call('POST', `/charts/${chartId}/publish`, {});
      }
      return (await call('POST', '/events', { chartId, name, timezone: 'Europe/Vienna' })).meta.key;
    },
    async open(address, role = roles[0]!, looks = {}) {
      const page = await office.newPage(looks);
      await page.goto(`${url}/console${address}`);
      await page.locator('input[name="email"]').fill(emailOf(role));
      await page.locator('input[name="password"]').fill(password);
      await page.locator('form button').click();
      await page.locator('header.bar').waitFor();
      return page;
    },
  };
}
