/** The session of an element: the rights of its capabilities, and its tokens, which come from the page around it. */
import { rights, roleHas } from '@parterre/shared/protocol/rights';
import { expect, test, vi } from 'vitest';
import { HostSession } from '../../../web/console/elements/host-session.ts';
import { lackingFor, rightsIn } from '../../../web/console/elements/session-rights.ts';

test('capabilities open parts, and give the rights of their actions in these parts alone', () => {
  expect(lackingFor('map', ['event:view'])).toEqual([]);
  expect(lackingFor('counter', ['event:view'])).toEqual(['event:boxoffice']);
  expect(lackingFor('a part of later', [])).toEqual(['event:view']);
  expect(rightsIn('map', ['event:view', 'event:block'])).toEqual(['see', 'sell']);
  expect(rightsIn('bookings', ['event:view', 'event:block'])).toEqual(['see']);
  expect(rightsIn('a part of later', ['event:view', 'event:block'])).toEqual(['see']);
  const granted = rightsIn('channels', ['event:view', 'event:channels:view', 'event:channels:manage']);
  expect(rights.filter((right) => roleHas(granted, right))).toEqual(['see', 'market']);
});

test('calls that meet the end together wait for one new token', async () => {
  const tokens = ['mse_1', 'mse_2'];
  const ask = vi.fn(async () => tokens.shift()!);
  const session = new HostSession(() => ask, vi.fn());
  expect(await session.open()).toBe(true);
  expect(session.bearer()).toBe('mse_1');
  expect(await Promise.all([session.onSignedOut(), session.onSignedOut()])).toEqual([true, true]);
  expect([session.bearer(), ask.mock.calls.length]).toEqual(['mse_2', 2]);
});

test('a page that gives the same token, none, or fails, ends the session until it gives another', async () => {
  let give: (() => Promise<string>) | null = async () => 'mse_1';
  const changed = vi.fn();
  const session = new HostSession(() => give, changed);
  await session.open();
  const waiting = session.onSignedOut();
  await vi.waitFor(() => expect(session.state).toBe('ended'));
  give = async () => {
    throw new Error('The host is away.');
  };
  expect(await session.again()).toBe(false);
  give = async () => 'mse_2';
  expect(await session.again()).toBe(true);
  expect([await waiting, session.state, session.bearer()]).toEqual([true, 'open', 'mse_2']);
});

test('an element that is left answers every waiting call, and an element without a page waits for one', async () => {
  const session = new HostSession(() => null, vi.fn());
  expect([await session.open(), session.state]).toEqual([false, 'none']);
  const waiting = session.onSignedOut();
  session.close();
  expect([await waiting, await session.onSignedOut()]).toEqual([false, false]);
});
