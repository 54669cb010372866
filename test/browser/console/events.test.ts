/** The console in a real browser: a person signs in, sees the events, and stays where they were. */
import { beforeAll, expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, type Json } from '../box-office.ts';

const password = 'a long enough password';

describeInBrowser('the console', { timeout: 90_000 }, (office) => {
  let user: { email: string; organisationId: string };
  const admin = async (path: string, body: object): Promise<Json> => {
    const headers = { Authorization: `Bearer ${office.parterre.rootToken}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${office.parterre.url}/v1/admin${path}`, init)).json();
  };

  beforeAll(async () => {
    const { organisation } = await admin('/organisations', { name: 'Civic theatre', currency: 'EUR', credits: 10 });
    const email = `ada-${organisation.id}@theatre.example`;
    await admin(`/organisations/${organisation.id}/users`, { email, password, role: 'admin' });
    user = { email, organisationId: organisation.id };
  });

  const open = async (address = '', looks = {}) => {
    const page = await office.newPage(looks);
    await page.goto(`${office.parterre.url}/console${address}`);
    return page;
  };
  const signIn = async (page: Awaited<ReturnType<typeof open>>, as = password) => {
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(as);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  test('refuses a wrong password, opens the address behind the sign-in, and keeps it after a reload', async () => {
    const page = await open('#/test/all/events?search=gala');
    await signIn(page, 'not that one');
    await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await signIn(page);
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('gala');
    expect(await page.getByRole('button', { name: 'Test', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('status').filter({ hasText: 'There is no test event here yet.' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/test/all/events?search=gala');
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('shows an event on its live map, with the names of reservations', async () => {
    const { organisationId } = user;
    const { secret } = await admin(`/organisations/${organisationId}/keys`, {
      kind: 'secret',
      mode: 'test',
      origins: [],
    });
    const call = async (method: string, path: string, body?: object): Promise<Json> => {
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${office.parterre.url}/v1${path}`, init)).json();
    };
    const doc = demoTheatre();
    const { meta: chart } = await call('POST', '/charts', { name: doc.name, doc });
    await call('POST', `/charts/${chart.id}/publish`, {});
    const { meta } = await call('POST', '/events', { chartId: chart.id, name: 'Gala' });
    const until = Date.now() + 86_400_000;
    await call('POST', `/events/${meta.key}/reservations`, { labels: ['A-1', 'A-2'], name: 'School 7', until });
    const page = await open('#/test/all/events');
    await signIn(page);
    await page.getByRole('link', { name: 'Gala' }).click();
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    expect(await page.locator('.hall canvas').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'School 7' }).click();
    await page.getByRole('listitem').filter({ hasText: 'A-1' }).filter({ hasText: 'School 7' }).waitFor();
    await page.getByLabel('Choose a seat by its label').fill('b-3');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '3 places are chosen' }).waitFor();
    await call('POST', `/events/${meta.key}/book`, { labels: ['B-3'], bookingRef: 'order-1' });
    await page.getByRole('listitem').filter({ hasText: 'B-3' }).filter({ hasText: 'booked' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '3 places are chosen' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('speaks Arabic from the right', async () => {
    const page = await open('', { locale: 'ar' });
    await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });
});
