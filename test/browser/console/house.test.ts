/** The house in a real browser: people, keys, webhooks, credits and audit, and who may not see them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser, faultsOf } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('the house', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  let receiver: Server;
  let hooks: string;
  let answers = 500;

  beforeAll(async () => {
    theatre = await makeTheatre(office, ['owner', 'manager', 'door']);
    receiver = createServer((_, response) => response.writeHead(answers).end('thank you')).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  });
  afterAll(() => receiver?.close());

  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const secretOf = async (page: Page) => {
    const secret = await page.getByRole('alert').locator('code').innerText();
    expect(page.url()).not.toContain(secret);
    await expect.poll(() => page.getByRole('log').innerText()).not.toContain(secret);
    return secret;
  };

  test('an owner invites a person, who sets a password with the token and signs in', async () => {
    const page = await theatre.open('owner', '#/test/all/house/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const email = theatre.emailOf('counter');
    await page.getByLabel('Email').fill(email);
    expect(await axeFaults(page)).toEqual([]);
    await confirm(page, 'Invite');
    const token = await secretOf(page);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('alert').locator('code').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: email }).getByRole('cell', { name: 'box office' }).waitFor();
    expect(await page.content()).not.toContain(token);
    const other = await office.newPage();
    await other.goto(`${office.parterre.url}/console`);
    await other.getByRole('button', { name: 'I have a token' }).click();
    await other.getByLabel('Token').fill(token);
    await other.getByLabel('New password').fill('eight seats in row D');
    expect(await axeFaults(other)).toEqual([]);
    await other.getByRole('button', { name: 'Set the password' }).click();
    await other.getByRole('status').filter({ hasText: 'Sign in with it.' }).waitFor();
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password').fill('eight seats in row D');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('(box office)').waitFor();
    await other.close();
    await page.close();
  });

  test('an owner changes a role with an undo, and sees the refusal of a taken email', async () => {
    const page = await theatre.open('owner', '#/test/all/house/members');
    const email = theatre.emailOf('door');
    await page.getByRole('button', { name: `Change role: ${email}` }).click();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
    await confirm(page, 'Give this role');
    const row = page.getByRole('row', { name: email });
    await row.getByRole('cell', { name: 'viewer' }).waitFor();
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('cell', { name: 'door', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email').fill(email);
    await confirm(page, 'Invite');
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'exists already' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.close();
  });

  test('a key is shown once, bound to origins, and revoked', async () => {
    const page = await theatre.open('owner', '#/test/all/house/keys');
    const faults = faultsOf(page);
    await page.getByRole('button', { name: 'Make a test key' }).click();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('publishable');
    await page.getByLabel(/Origins of pages/).fill('https://shop.example');
    await confirm(page, 'Make the key');
    const secret = await secretOf(page);
    expect(secret).toMatch(/^pk_test_/);
    const prefix = secret.slice(0, 12);
    const row = page.getByRole('row').filter({ hasText: prefix });
    await row.filter({ hasText: 'https://shop.example' }).waitFor();
    await page.getByRole('button', { name: `Origins: ${prefix}` }).click();
    await page.getByLabel(/Origins of pages/).fill('https://tickets.example');
    await confirm(page, 'Save');
    await row.filter({ hasText: 'https://tickets.example' }).waitFor();
    await page.getByRole('button', { name: `Budgets: ${prefix}` }).click();
    await page.getByLabel("Buyers' holds").fill('50');
    await confirm(page, 'Save');
    await row.filter({ hasText: 'at most 50' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `Revoke: ${prefix}` }).click();
    await confirm(page, 'Revoke');
    await row.filter({ hasText: 'Revoked' }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a webhook fails, is read with its answer, and is sent again: one, and a span', async () => {
    const page = await theatre.open('owner', '#/test/all/house/webhooks');
    await page.getByRole('button', { name: 'Subscribe to test events' }).click();
    await page.getByLabel('Address').fill(hooks);
    await confirm(page, 'Subscribe');
    expect(await secretOf(page)).toMatch(/^whsec_/);
    await page.getByRole('link', { name: hooks }).click();
    await page.getByRole('status').filter({ hasText: 'There is no delivery.' }).waitFor();
    const event = await theatre.makeEvent('Hooks');
    await theatre.call('POST', `/events/${event}/book`, { labels: ['A-1'], bookingRef: 'order-7' });
    const row = page.getByRole('row').filter({ hasText: 'order-7' });
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Read again' }).click();
          return row.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await row.filter({ hasText: '500' }).waitFor();
    await row.getByRole('button', { name: /^Show/ }).click();
    await page.getByText('thank you').waitFor();
    await page.getByText('"seat.booked"').first().waitFor();
    expect(new URL(page.url()).hash).toContain('delivery=dlv_');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Not delivered since').fill('2026-01-01T00:00');
    await page.getByRole('button', { name: 'Send again what failed…' }).click();
    await page.getByRole('heading', { name: 'Send 1 delivery again?' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    answers = 200;
    await row.getByRole('button', { name: /^Send again/ }).click();
    await confirm(page, 'Send again');
    await page.getByRole('log').filter({ hasText: 'It is delivered' }).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await confirm(page, 'Pause');
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).first().click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await confirm(page, 'Replace the secret');
    expect(await secretOf(page)).toMatch(/^whsec_/);
    await page.close();
  });

  test('workspaces, credits and the audit are there, and the filter is in the address', async () => {
    const page = await theatre.open('owner', '#/live/all/house/workspaces');
    await page.getByRole('button', { name: 'Make a workspace' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('On tour');
    await confirm(page, 'Make a workspace');
    await page.getByRole('button', { name: 'Disable: On tour' }).click();
    await confirm(page, 'Save');
    await page.getByRole('row', { name: 'On tour' }).getByRole('cell', { name: 'Disabled' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Credits and usage' }).click();
    await page.getByRole('cell', { name: 'First balance' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('combobox', { name: 'Action' }).selectOption('workspace.create');
    await page.getByRole('status').filter({ hasText: '1 of' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: theatre.emailOf('owner') }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('a person at the door has the own account alone, in German on a narrow dark page', async () => {
    const looks = { viewport: { width: 320, height: 700 }, colorScheme: 'dark', locale: 'de' } as const;
    const page = await theatre.open('door', '#/live/all/house/keys', looks);
    await page.getByRole('heading', { name: theatre.emailOf('door') }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Schlüssel' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Passwort ändern' }).click();
    await page.getByLabel('Jetziges Passwort').fill('not the password');
    await page.getByLabel(/Neues Passwort/).fill('eight seats in row D');
    await confirm(page, 'Passwort ändern');
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('the operator signs in with the root token, which no reload keeps, and suspends an organisation', async () => {
    const page = await office.newPage();
    const faults = faultsOf(page);
    const { url, rootToken } = office.parterre;
    const name = `Late payer ${theatre.id}`;
    await theatre.admin('/organisations', { name, currency: 'EUR' });
    await page.goto(`${url}/console#/live/all/operator`);
    await page.getByText('machines of operators only').waitFor();
    await page.getByLabel('Root token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'The server refuses this token.' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Root token').fill(rootToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const made = page.getByRole('button', { name: /^Made/ });
    await made.click();
    await page.getByRole('columnheader', { name: 'Made ↑' }).waitFor();
    await made.click();
    await page.getByRole('columnheader', { name: 'Made ↓' }).waitFor();
    await page.getByRole('button', { name: `Suspend: ${name}` }).click();
    await confirm(page, 'Suspend');
    await page.getByRole('row', { name }).filter({ hasText: 'Suspended since' }).waitFor();
    await page.getByRole('button', { name: `Change credits: ${name}` }).click();
    await page.getByRole('dialog').getByLabel('Change', { exact: true }).fill('25');
    await page.getByRole('dialog').getByLabel('Reason').fill('Invoice 7');
    await confirm(page, 'Change credits');
    await page.getByRole('row', { name }).getByRole('cell', { name: '25', exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('The deployment sells.').waitFor();
    await page.getByRole('region', { name: 'Members' }).getByRole('row', { name: 'inventory-shard' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])';
    expect(await page.evaluate(kept)).not.toContain(rootToken);
    await page.reload();
    await page.getByLabel('Root token').waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });
});
