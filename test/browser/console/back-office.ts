/** An organisation of a test's own with a user for each role, its key, and pages of the console that are signed in. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { BoxOffice, Json } from '../box-office.ts';

const password = 'a long enough password';

export type BackOffice = {
  /** A call with the organisation's secret key of test mode. Throws for a refusal. */
  call(method: string, path: string, body?: object): Promise<Json>;
  /** The key of a new event on the demo's theatre. */
  makeEvent(name: string, fields?: object): Promise<string>;
  chartId: string;
  /** The page of an address behind `#/test/all/`, signed in. */
  open(role: string, address: string, looks?: BrowserContextOptions): Promise<Page>;
};

export async function openBackOffice(office: BoxOffice, roles: readonly string[]): Promise<BackOffice> {
  const { rootToken, url } = office.parterre;
  const send = async (token: string, method: string, path: string, body?: object): Promise<Json> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const { organisation } = await send(rootToken, 'POST', '/admin/organisations', {
    name: 'Civic theatre',
    currency: 'EUR',
    credits: 50,
  });
  const of = `/admin/organisations/${organisation.id}`;
  const emailOf = (role: string): string => `${role}-${organisation.id}@theatre.example`;
  for (const role of roles) await send(rootToken, 'POST', `${of}/users`, { email: emailOf(role), password, role });
  const { secret } = await send(rootToken, 'POST', `${of}/keys`, { kind: 'secret', mode: 'test', origins: [] });
  const call: BackOffice['call'] = (method, path, body) => send(secret, method, path, body);
  const doc = demoTheatre();
  const { meta: chart } = await call('POST', '/charts', { name: doc.name, doc });
  await call('POST', `/charts/${chart.id}/publish`, {});
  return {
    call,
    chartId: chart.id,
    makeEvent: async (name, fields = {}) =>
      (await call('POST', '/events', { chartId: chart.id, name, timezone: 'Europe/Vienna', ...fields })).meta.key,
    async open(role, address, looks) {
      const page = await office.newPage(looks);
      await page.goto(`${url}/console#/test/all/${address}`);
      await page.locator('input[type=email]').fill(emailOf(role));
      await page.locator('input[type=password]').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('banner').waitFor();
      return page;
    },
  };
}
