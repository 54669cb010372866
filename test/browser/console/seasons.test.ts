/** Seasons and groups in a real browser: made, activated, sold, renewed and amended, and who may do it. */
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

const MAY = 1_900_000_000_000;
const DAY_MS = 86_400_000;

describeInBrowser('seasons in the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  beforeAll(async () => {
    theatre = await makeTheatre(office, ['manager', 'box_office', 'viewer']);
  });

  const makeNights = async (name: string): Promise<[string, string]> => [
    await theatre.makeEvent(`${name} May`, { startsAt: MAY }),
    await theatre.makeEvent(`${name} June`, { startsAt: MAY + 30 * DAY_MS }),
  ];
  /** An active season on sale, whose plan has a holder of A-1. */
  const makeSeason = async (name: string): Promise<{ key: string; eventKeys: string[] }> => {
    const eventKeys = await makeNights(name);
    const { season } = await theatre.call('POST', '/seasons', { name, eventKeys });
    const path = `/seasons/${season.key}`;
    const revision = async () => ({ expectedRevision: (await theatre.call('GET', path)).season.revision });
    await theatre.call('POST', `${path}/activate`, await revision());
    const { plan } = await theatre.call('POST', `${path}/plans`, { name: 'Full pass' });
    const published = await theatre.call('POST', `${path}/plans/${plan.key}/publish`, await revision());
    await theatre.call('POST', `${path}/imports`, {
      successorPlanActivationId: published.plan.activationId,
      rows: [
        {
          rowId: '1',
          holderRef: 'member-17',
          priorPlanActivationId: '2026',
          priorContractRef: 'sub-17',
          labels: ['A-1', 'A-2'],
        },
      ],
    });
    return { key: season.key, eventKeys };
  };

  test('makes a season of chosen nights, activates it, publishes a plan, and opens and pauses the sales', async () => {
    await makeNights('Opera');
    const page = await theatre.open('manager', '#/test/all/seasons');
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'Seasons and groups' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'New season' }).click();
    await dialog.getByLabel('Name').fill('Opera pass');
    await dialog.getByLabel('Opera May').check();
    await dialog.getByRole('button', { name: 'New season' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'at least two nights' }).waitFor();
    await dialog.getByLabel('Opera June').check();
    await dialog.getByRole('button', { name: 'New season' }).click();
    await page.getByRole('heading', { name: 'Opera pass' }).waitFor();
    await page.getByRole('row', { name: /Opera May .* 118 0 0 0/ }).waitFor();
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await dialog.getByRole('button', { name: name.split(':')[0]! }).click();
    };
    await page.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByText('Its 2 nights are locked').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Opera pass is active.').waitFor();
    await page.getByRole('button', { name: 'New plan' }).click();
    await dialog.getByLabel('Name').fill('Full pass');
    await dialog.getByRole('button', { name: 'New plan' }).click();
    await page.getByRole('row', { name: /Full pass Draft 2/ }).waitFor();
    await press('Publish: Full pass');
    await page.getByRole('row', { name: /Full pass Published/ }).waitFor();
    await press('Open the sales');
    await page.getByText('The sales of Opera pass are open.').waitFor();
    await press('Pause the sales');
    await page.getByText('The sales of Opera pass are paused.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('status').filter({ hasText: 'Active · Sales: open' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('refuses a move of a page that has read an older state, and reads the new one', async () => {
    const { key } = await makeSeason('Contested');
    const moveSales = async (move: string) => {
      const { season } = await theatre.call('GET', `/seasons/${key}`);
      await theatre.call('POST', `/seasons/${key}/sales/${move}`, { expectedRevision: season.revision });
    };
    await moveSales('open');
    const page = await theatre.open('manager', `#/test/all/seasons/${key}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Pause the sales' }).click();
    await moveSales('end');
    await dialog.getByRole('button', { name: 'Pause the sales' }).click();
    await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('status').filter({ hasText: 'Active · Sales: ended' }).waitFor();
    await page.close();
  });

  test('offers a renewal with a deadline, takes it back, offers again, moves the deadline, and renews', async () => {
    const { key, eventKeys } = await makeSeason('Renewal');
    const page = await theatre.open('box_office', `#/test/all/seasons/${key}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('row', { name: /member-17 A-1.*A-2.* Last season not paid yet/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Open the sales' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Offer renewal: member-17' }).click();
    await dialog.getByRole('button', { name: 'Make the offer' }).click();
    await page.getByText('1 offer is made.').waitFor();
    expect((await theatre.call('GET', `/events/${eventKeys[0]}`)).counts.blocked).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: /member-17 .* taken back/ }).waitFor();
    expect((await theatre.call('GET', `/events/${eventKeys[0]}`)).counts.blocked).toBe(0);
    await page.getByRole('button', { name: 'Offer renewal to all' }).click();
    await dialog.getByLabel('Deadline').fill('2020-01-01T10:00');
    await dialog.getByRole('button', { name: 'Make the offer' }).click();
    await dialog
      .getByText(/deadline/i)
      .first()
      .waitFor();
    await dialog.getByLabel('Deadline').fill('2035-01-01T10:00');
    await dialog.getByRole('button', { name: 'Make the offer' }).click();
    await page.getByRole('button', { name: 'Move the deadline: member-17' }).click();
    await dialog.getByLabel('Deadline').fill('2035-02-01T10:00');
    await dialog.getByRole('button', { name: 'Move the deadline' }).click();
    await page.getByRole('row', { name: /member-17 .* open Feb 1, 2035/ }).waitFor();
    await page.getByRole('button', { name: 'Renew: member-17' }).click();
    await dialog.getByLabel('Number of the order').fill('order-17');
    await dialog.getByRole('button', { name: 'Renew' }).click();
    await page.getByRole('row', { name: /member-17 .* renewed/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });

  test('moves a night and takes the move back, and judges a further night', async () => {
    const { key, eventKeys } = await makeSeason('Amended');
    const july = await theatre.makeEvent('Amended July', { startsAt: MAY + 60 * DAY_MS });
    const page = await theatre.open('manager', `#/test/all/seasons/${key}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Move: Amended May' }).click();
    await dialog.getByLabel('Begins').fill('2030-04-01T19:30');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByText(/Amended May moved from .* to Apr 1, 2030, 7:30/).waitFor();
    const startOf = async () => (await theatre.call('GET', `/events/${eventKeys[0]}`)).meta.startsAt;
    expect(await startOf()).toBe(Date.UTC(2030, 3, 1, 17, 30));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await startOf()).toBe(MAY);
    await page.getByRole('button', { name: 'Add a night' }).click();
    await dialog.getByLabel('Key of the event').fill(july);
    await dialog.getByRole('button', { name: 'Look' }).click();
    await page.getByText('2 seats can be given, 0 cannot.').waitFor();
    await page.close();
  });

  test('puts a group on sale, shows its holds and sales, and tells a viewer no action; dark, German and narrow', async () => {
    const eventKeys = await makeNights('Spring');
    const { performanceGroup } = await theatre.call('POST', '/performance-groups', { name: 'Spring run', eventKeys });
    const page = await theatre.open('manager', `#/test/all/seasons/${performanceGroup.key}`);
    const dialog = page.getByRole('dialog');
    await page.getByText('Nothing is held or sold yet.').waitFor();
    await page.getByRole('button', { name: 'Put on sale' }).click();
    await dialog.getByRole('button', { name: 'Put on sale' }).click();
    await page.getByText('Spring run is on sale.').waitFor();
    const path = `/performance-groups/${performanceGroup.key}`;
    await theatre.call('POST', `${path}/holds`, { operationId: 'pghop_desk-1', labels: ['D-1'], ttlMs: 600_000 });
    await page.getByRole('row', { name: /pghop_desk-1 Basket held in every night/ }).waitFor();
    await theatre.call('POST', `${path}/holds/pghop_desk-1/book`, { bookActionId: 'book-1', bookingRef: 'order-1' });
    await page.getByRole('row', { name: /order-1 Sale sold in every night/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
    const looks = { locale: 'de', colorScheme: 'dark' as const, viewport: { width: 320, height: 700 } };
    const narrow = await theatre.open('viewer', `#/test/all/seasons/${performanceGroup.key}`, looks);
    await narrow.getByRole('row', { name: /order-1/ }).waitFor();
    await expect.poll(() => narrow.getByRole('button', { name: /Verkauf nehmen|löschen/ }).count()).toBe(0);
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(narrow)).toEqual([]);
    await narrow.close();
  });
});
