/**
 * The tab of channels in a real browser: seats painted and given back, channels and links changed, and who may do it.
 */
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../axe-faults.ts';
import { describeInBrowser } from '../box-office.ts';
import { makeTheatre, type Theatre } from './theatre.ts';

describeInBrowser('channels in the console', { timeout: 90_000 }, (office) => {
  let theatre: Theatre;
  beforeAll(async () => {
    theatre = await makeTheatre(office, ['marketing', 'viewer']);
  });

  const makeChannel = async (event: string, name: string, labels: string[] = []): Promise<string> => {
    const { channel } = await theatre.call('POST', `/events/${event}/channels`, { name });
    const { assignmentVersion } = await theatre.call('GET', `/events/${event}/channels`);
    const body = { targetChannelId: channel.id, labels, assignmentVersion };
    if (labels.length > 0) await theatre.call('POST', `/events/${event}/channels/assignments`, body);
    return channel.id;
  };
  const channelOf = async (event: string, label: string): Promise<string | null> => {
    const { allocations } = await theatre.call('GET', `/events/${event}/channels/allocation`);
    return allocations.find((each: { label: string }) => each.label === label)?.channelId ?? null;
  };

  test('paints seats into a channel, tells before and after, and takes it back', async () => {
    const event = await theatre.makeEvent('Gala');
    const club = await makeChannel(event, 'Club', ['B-1', 'B-2']);
    await theatre.call('POST', `/events/${event}/book`, { labels: ['B-1'], channelIds: [club], bookingRef: 'order-1' });
    const page = await theatre.open('marketing', `#/test/all/event/${event}/channels?seats=B-1,B-2,C-1,C-2`);
    await page.getByRole('button', { name: /Public sale/ }).waitFor();
    await page.getByText('1 place is sold. It stays in its channel.').waitFor();
    await page
      .getByRole('button', { name: /^. Club|Club/ })
      .first()
      .click();
    const effect = page.getByRole('table', { name: 'What changes' });
    await effect.getByRole('row', { name: 'Club 2 4 3' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put 2 places into Club' }).click();
    await page.getByText('2 places are now in Club.').waitFor();
    expect(await channelOf(event, 'C-1')).toBe(club);
    await page
      .getByRole('table')
      .getByRole('row', { name: /^Club On sale 4 3/ })
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await channelOf(event, 'C-1')).toBeNull();
    expect(await channelOf(event, 'B-2')).toBe(club);
    await page.close();
  });

  test('moves nothing when somebody has painted meanwhile, and shows the new state', async () => {
    const event = await theatre.makeEvent('Contested');
    const club = await makeChannel(event, 'Club');
    const other = await makeChannel(event, 'Partner');
    const page = await theatre.open('marketing', `#/test/all/event/${event}/channels?channel=${club}&seats=C-1`);
    const put = page.getByRole('button', { name: 'Put 1 place into Club' });
    await put.waitFor();
    await page.route('**/channels', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
    const { assignmentVersion } = await theatre.call('GET', `/events/${event}/channels`);
    const labels = ['D-1'];
    await theatre.call('POST', `/events/${event}/channels/assignments`, {
      targetChannelId: other,
      labels,
      assignmentVersion,
    });
    await put.click();
    await page
      .getByRole('alert')
      .filter({ hasText: /changed|version/ })
      .waitFor();
    expect(await channelOf(event, 'C-1')).toBeNull();
    await page.unroute('**/channels');
    await page
      .getByRole('table')
      .getByRole('row', { name: /^Partner On sale 1 1/ })
      .waitFor();
    await put.click();
    await page.getByText('1 place is now in Club.').waitFor();
    await page.close();
  });

  test('makes, renames, times, prices, pauses and ends a channel', async () => {
    const event = await theatre.makeEvent('Channels');
    await makeChannel(event, 'Club');
    const page = await theatre.open('marketing', `#/test/all/event/${event}/channels`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New channel' }).click();
    await dialog.getByLabel('Name').fill('club');
    await dialog.getByRole('button', { name: 'New channel' }).click();
    await dialog.getByRole('alert').filter({ hasText: /name/i }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Friends');
    await dialog.getByLabel('Letters on the map').fill('F');
    await dialog.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('heading', { name: 'Friends', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Own start' }).click();
    await dialog.getByText('Time zone: Europe/Vienna').waitFor();
    await dialog.getByLabel('Sale begins').fill('2030-01-15T10:00');
    await dialog.getByRole('button', { name: 'Own start' }).click();
    await page.getByText(/Sale begins Jan 15, 2030, 10:00/).waitFor();
    await page.getByRole('button', { name: 'Prices' }).click();
    const price = dialog.getByLabel(/Standing/);
    await price.fill('a lot');
    await dialog.getByRole('button', { name: 'Prices' }).click();
    await dialog.getByText('Write an amount such as 12.').first().waitFor();
    await price.fill('9');
    await dialog.getByRole('button', { name: 'Prices' }).click();
    await page.getByText('The prices of Friends are set.').waitFor();
    const { channels } = await theatre.call('GET', `/events/${event}/channels`);
    const friends = channels.find(({ name }: { name: string }) => name === 'Friends');
    expect(friends).toMatchObject({ marker: 'F', salesStartAt: Date.UTC(2030, 0, 15, 9) });
    expect(friends.priceOverrides).toEqual([{ categoryKey: 'standing', tierId: null, price: 9 }]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Friends is paused.').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Friends is on sale again.').waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await dialog.getByLabel('Its places go to').selectOption('Club');
    await dialog.getByRole('button', { name: 'End the channel' }).click();
    await page.getByText('Friends has ended.').waitFor();
    await page.getByRole('row', { name: /^Friends Ended/ }).waitFor();
    await page.close();
  });

  test('makes a link once though its answer got lost, shares, replaces and ends it, and ends a session', async () => {
    const event = await theatre.makeEvent('Links');
    const club = await makeChannel(event, 'Club', ['B-1']);
    const page = await theatre.open('marketing', `#/test/all/event/${event}/channels?channel=${club}`);
    const dialog = page.getByRole('dialog');
    const list = `/events/${event}/channels/${club}/access-links`;
    await page.getByText('This channel has no link yet.').waitFor();
    await page.getByRole('button', { name: 'New link' }).click();
    await dialog.getByLabel('Name of the link').fill('Newsletter');
    await page.route('**/access-links', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'New link' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'did not answer' }).waitFor();
    await page.unroute('**/access-links');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The link was made, but its address got lost').waitFor();
    expect((await theatre.call('GET', list)).links).toHaveLength(1);
    await page.getByRole('button', { name: 'Replace: Newsletter' }).click();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    const address = await page.getByLabel('Address of the link').inputValue();
    expect(address).toContain(await page.getByLabel('Secret code').inputValue());
    expect(await page.getByLabel('Message to your guests').inputValue()).toContain(address);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByLabel('Address of the link').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'End: Newsletter' }).click();
    await dialog.getByRole('button', { name: 'End' }).click();
    await page.getByText('The link “Newsletter” has ended.').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const session = {
      channelIds: [club],
      includePublic: false,
      allowedOrigin: 'https://shop.example',
      buyerRef: 'member 7',
    };
    await theatre.call('POST', `/events/${event}/buyer-access-sessions`, session);
    await page.getByText('Sessions of buyers').click();
    await page.getByRole('button', { name: 'End: member 7' }).click();
    await dialog.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('The session of member 7 has ended.').waitFor();
    await page.close();
  });

  test('shows a viewer the figures and what buyers see, and nothing to change; in German, dark and narrow', async () => {
    const event = await theatre.makeEvent('Quiet');
    const club = await makeChannel(event, 'Club', ['B-1', 'B-2', 'B-3']);
    const page = await theatre.open('viewer', `#/test/all/event/${event}/channels?channel=${club}`, {
      locale: 'de',
      colorScheme: 'dark',
      viewport: { width: 320, height: 700 },
    });
    await page.getByRole('button', { name: 'Zeigen, was seine Käufer sehen' }).click();
    await page.getByText('Seine Käufer sehen 3 freie').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Neuer Kanal|Pausieren|Neuer Link/ }).count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await axeFaults(page)).toEqual([]);
    await page.close();
  });
});
