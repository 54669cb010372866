/** The console in a real browser: a person signs in, sees the events, and stays where they were. */
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  // "admin" is the stored name of an owner in older organisations.
  beforeAll(async () => {
    theatre = await makeTheatre(office, ['admin']);
  });

  test('refuses a wrong password, opens the address behind the sign-in, and keeps it after a reload', async () => {
    const page = await theatre.openUnsigned('#/test/all/events?search=gala');
    await theatre.signIn(page, 'admin', 'not that one');
    await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await theatre.signIn(page, 'admin');
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
    const key = await theatre.makeEvent('Gala');
    const until = Date.now() + 86_400_000;
    await theatre.call('POST', `/events/${key}/reservations`, { labels: ['A-1', 'A-2'], name: 'School 7', until });
    const page = await theatre.open('admin', '#/test/all/events');
    await page.getByRole('link', { name: 'Gala' }).click();
    await page.getByRole('status').filter({ hasText: 'The map is live.' }).waitFor();
    await expect.poll(() => page.locator('.hall canvas').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'School 7' }).click();
    await page.getByRole('listitem').filter({ hasText: 'A-1' }).filter({ hasText: 'School 7' }).waitFor();
    await page.getByLabel('Choose a seat by its label').fill('b-3');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '3 places are chosen' }).waitFor();
    await theatre.call('POST', `/events/${key}/book`, { labels: ['B-3'], bookingRef: 'order-1' });
    await page.getByRole('listitem').filter({ hasText: 'B-3' }).filter({ hasText: 'booked' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '3 places are chosen' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.evaluate("sessionStorage.setItem('basket', 'of this person')");
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });

  test('speaks Arabic from the right', async () => {
    const page = await theatre.openUnsigned('', { locale: 'ar' });
    await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });
});
