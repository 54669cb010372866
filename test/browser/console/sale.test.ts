/**
 * The tab of the sale in a real browser: releases, settings, divisions and the chart, each with before, after and undo.
 */
import { beforeAll, expect, test } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('the sale in the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  beforeAll(async () => {
    theatre = await makeTheatre(office, ['manager', 'marketing', 'viewer']);
  });

  test('makes a release, refuses a wrong amount at its field, and does not overwrite a list of somebody else', async () => {
    const event = await theatre.makeEvent('Gala');
    const page = await theatre.open('marketing', `#/test/all/event/${event}/sale`);
    const dialog = page.getByRole('dialog');
    await page.getByText('There is no ticket release.').waitFor();
    await page.getByRole('button', { name: 'New ticket release' }).click();
    await dialog.getByLabel('Name').fill('Early bird');
    await dialog.getByLabel('Category').selectOption('standing');
    await dialog.getByLabel('Price', { exact: true }).fill('cheap');
    await dialog.getByLabel('Tickets at most').fill('2');
    await dialog.getByRole('button', { name: 'New ticket release' }).click();
    await dialog.getByText('Write an amount such as 12.').first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.locator('input[name=price]').fill('10');
    await dialog.getByRole('button', { name: 'New ticket release' }).click();
    await page.getByRole('row', { name: /Now Early bird .*€10 2 of 2 left Always/ }).waitFor();
    const { releases } = await theatre.call('GET', `/events/${event}/releases`);
    await page.getByRole('button', { name: 'Change: Early bird' }).click();
    const others = [...releases, { name: 'Advance', price: 12, categoryKey: 'standing' }];
    await theatre.call('PUT', `/events/${event}/releases`, { releases: others });
    await dialog.getByLabel('Name').fill('First');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row', { name: /Behind an earlier one Advance/ }).waitFor();
    await page.getByRole('button', { name: 'Up: Advance' }).click();
    await dialog.getByRole('button', { name: 'Up' }).click();
    await page.getByRole('row', { name: /Now Advance/ }).waitFor();
    await page.getByRole('button', { name: 'Remove: Advance' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    const notice = page.getByRole('log').getByText('Advance is removed.');
    await notice.waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('row', { name: /Now Advance/ }).waitFor();
    await page.getByRole('button', { name: 'End now: Advance' }).click();
    await dialog.getByRole('button', { name: 'End now' }).click();
    await page.getByRole('row', { name: /Ended by hand Advance/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Change: (Beginning|Currency)/ }).count()).toBe(0);
    await page.close();
  });

  test('changes settings of the sale with before and after, undoes one, and refuses an end before the beginning', async () => {
    const event = await theatre.makeEvent('Settings');
    const page = await theatre.open('manager', `#/test/all/event/${event}/sale`);
    const dialog = page.getByRole('dialog');
    await page.getByText('Buyers can buy now.').waitFor();
    const change = async (title: string) => page.getByRole('button', { name: `Change: ${title}` }).click();
    const send = () => dialog.getByRole('button', { name: 'Change' }).click();
    await change('Beginning and end');
    await dialog.getByLabel('Sale begins').fill('2031-05-02T10:00');
    await dialog.getByLabel('Sale ends').fill('2031-05-01T10:00');
    await send();
    await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    expect(await dialog.getByLabel('Sale begins').inputValue()).toBe('2031-05-02T10:00');
    await dialog.getByLabel('Sale ends').fill('2031-06-01T10:00');
    await send();
    await page.getByText(/The sale begins May 2, 2031, 10:00/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Buyers can buy now.').waitFor();
    await change('Time in the basket');
    await dialog.getByText('Now: 15 minutes, as usual').waitFor();
    await dialog.getByLabel('Minutes').fill('20');
    await send();
    await page.getByText('Time in the basket: 15 minutes, as usual → 20 minutes.').waitFor();
    await change('Places for each buyer');
    await dialog.getByLabel('Places at most').fill('4');
    await send();
    await change('Rules for a choice of seats');
    await dialog.getByLabel('No single free seat').check();
    await dialog.getByLabel('Standing at most').fill('3');
    await send();
    await page.getByText(/→ No single free seat .* Standing: at most 3\./).waitFor();
    await change('Bounds of public sale');
    await dialog.getByRole('group', { name: 'In one basket' }).getByLabel('At most').check();
    await dialog.getByRole('group', { name: 'In one basket' }).getByLabel('Places').fill('6');
    await send();
    await page.getByRole('listitem').filter({ hasText: 'In one basket: 6' }).waitFor();
    await page.getByRole('button', { name: 'State: Stalls' }).click();
    await dialog.getByLabel('State').selectOption('Hidden');
    await send();
    await page.getByRole('row', { name: /^Stalls section Hidden Hidden No rule/ }).waitFor();
    await page.getByRole('button', { name: 'State: Stalls' }).click();
    await theatre.call('PATCH', `/events/${event}`, { sectionStates: { stalls: 'closed' } });
    await dialog.getByLabel('State').selectOption('Open');
    await send();
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this part.' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row', { name: /^Stalls section Closed Closed No rule/ }).waitFor();
    await page.getByRole('button', { name: 'Rule: Places of no section' }).click();
    await theatre.call('POST', `/events/${event}/availability`, { rules: { stalls: { mode: 'closed' } } });
    await dialog.getByLabel('Rule').selectOption('Hidden');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog
      .getByRole('alert')
      .filter({ hasText: /changed|version/ })
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Rule: Places of no section' }).click();
    await dialog.getByLabel('Rule').selectOption('Hidden until enough is sold');
    await dialog.getByLabel('Percent sold').fill('50');
    await send();
    await page.getByRole('row', { name: /Hidden until 50 % of the rest is sold/ }).waitFor();
    expect(await theatre.call('GET', `/events/${event}`)).toMatchObject({
      holdTtlMs: 1_200_000,
      salesStartAt: null,
      buyerLimit: { perBuyer: 4 },
      selectionRules: { preventOrphans: true, categoryLimits: { standing: 3 } },
      publicSale: { maxPerHold: 6 },
      sectionStates: { stalls: 'closed' },
    });
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('tells what another chart would lose and move, and takes the word that moves sold places', async () => {
    const event = await theatre.makeEvent('New chart');
    await theatre.call('POST', `/events/${event}/book`, { labels: ['A-1'], bookingRef: 'order-1' });
    const doc = demoTheatre();
    const isRow = (object: { label?: string }) => object.label === 'A';
    const lost = { ...doc, name: 'Without row A', objects: doc.objects.filter((object: object) => !isRow(object)) };
    const other = doc.categories[doc.categories.length - 1]!.key;
    const changed = doc.objects.map((object: object) => (isRow(object) ? { ...object, categoryKey: other } : object));
    for (const chart of [lost, { ...doc, name: 'Other price of row A', objects: changed }]) {
      const { meta } = await theatre.call('POST', '/charts', { name: chart.name, doc: chart });
      await theatre.call('POST', `/charts/${meta.id}/publish`, {});
    }
    const page = await theatre.open('manager', `#/test/all/event/${event}/sale`);
    const dialog = page.getByRole('dialog');
    const look = async (name: string) => {
      await page.getByLabel('Move to').selectOption(name);
      await page.getByRole('button', { name: 'Show what would happen' }).click();
    };
    await look('Without row A');
    await page.getByText('1 held, sold or reserved place would vanish').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Move the event to this chart' }).count()).toBe(0);
    await look('Other price of row A');
    await page.getByText('1 held, sold, blocked or reserved place would be elsewhere').waitFor();
    await page.getByRole('button', { name: 'Move the event to this chart' }).click();
    await dialog.getByLabel('Reason').fill('New prices');
    await dialog.getByRole('button', { name: 'Move the event to this chart' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Confirm each point' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByLabel('I have seen that 1 place moves').check();
    await dialog.getByRole('button', { name: 'Move the event to this chart' }).click();
    await page.getByText('The event has moved to the chart.').waitFor();
    await page.getByRole('option', { name: 'Other price of row A, latest version' }).waitFor({ state: 'attached' });
    await page.close();
  });

  test('shows a viewer all of it and nothing to change; in German, dark and narrow', async () => {
    const event = await theatre.makeEvent('Quiet');
    const looks = { locale: 'de', colorScheme: 'dark' as const, viewport: { width: 320, height: 700 } };
    const page = await theatre.open('viewer', `#/test/all/event/${event}/sale`, looks);
    await page.getByRole('heading', { name: 'Regeln für die Platzwahl' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^(Ändern|Neue|Zustand|Regel)/ }).count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });
});
