/** The addresses of public files and statuses: what they depend on, and what nobody can make. */
import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  chartFileUrl,
  isAudienceId,
  isFileSeal,
  isToldAddress,
  reachOf,
  scopeOf,
  statusesUrl,
} from '../../../services/frontdoor/src/api/rules/public-addresses.ts';

const [key, other] = [createSecretKey(Buffer.alloc(32, 1)), createSecretKey(Buffer.alloc(32, 2))];
const numbers = new Map([
  ['chn_a', 1],
  ['chn_b', 2],
  ['chn_c', 12],
]);
const partsOf = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'https://a.example');
  return { id: pathname.split('/').at(-1)!, query: Object.fromEntries(searchParams) };
};

describe('the address of statuses', () => {
  const idOf = (event: { key: string; accessEpoch?: number }, scope: string, by = key) =>
    partsOf(statusesUrl(by, event, scope)).id;
  const event = { key: 'gala' };

  it('has 128 bits, and another id for each event, scope, secret and epoch', () => {
    const ids = [
      idOf(event, 'public'),
      idOf(event, 'public.1'),
      idOf(event, '1'),
      idOf({ key: 'other' }, '1'),
      idOf({ ...event, accessEpoch: 1 }, '1'),
      idOf(event, '1', other),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(16);
  });

  it('of public sale outlives revocations, and needs no scope', () => {
    expect(idOf({ ...event, accessEpoch: 9 }, 'public')).toBe(idOf(event, 'public'));
    expect(partsOf(statusesUrl(key, event, 'public')).query).toEqual({ event: 'gala' });
    const { query } = partsOf(statusesUrl(key, event, 'public.12'));
    expect(query).toEqual({ event: 'gala', scope: 'public.12', seal: expect.stringMatching(/^[\w-]{22}$/) });
  });

  it('is known as told without the event, also after its epoch, and a stranger finds none', () => {
    const told = (url: string, more = {}) => {
      const { id, query } = partsOf(url);
      const { event: eventKey = '', scope = 'public', seal = '' } = query;
      return isToldAddress(key, { eventKey, scope, id, seal, ...more });
    };
    const ofChannel = statusesUrl(key, { ...event, accessEpoch: 3 }, '1');
    const ofPublic = statusesUrl(key, event, 'public');
    expect([told(ofChannel), told(ofPublic)]).toEqual([true, true]);
    for (const more of [{ eventKey: 'other' }, { scope: '1.2' }, { seal: '' }, { scope: 'public' }])
      expect(told(ofChannel, more)).toBe(false);
    for (const more of [{ eventKey: 'other' }, { id: 'A'.repeat(22) }, { scope: '1' }])
      expect(told(ofPublic, more)).toBe(false);
    expect(told(statusesUrl(other, event, '1'))).toBe(false);
    // The seal of a scope opens nothing: the id has the epoch.
    expect(isAudienceId(key, event, '1', partsOf(ofChannel).query.seal!)).toBe(false);
  });

  it('is accepted with its own scope alone', () => {
    const id = idOf(event, '1');
    expect(isAudienceId(key, event, '1', id)).toBe(true);
    for (const scope of ['1.2', 'public', '01', '']) expect(isAudienceId(key, event, scope, id)).toBe(false);
    for (const sent of ['', id.slice(1), `${id}A`, 'é'.repeat(11)])
      expect(isAudienceId(key, event, '1', sent)).toBe(false);
  });
});

it('The seal of a file fits this file of this event alone', () => {
  const { id, query } = partsOf(chartFileUrl(key, 'gala', 'h'.repeat(43)));
  expect([id, query.event]).toEqual(['h'.repeat(43), 'gala']);
  expect(isFileSeal(key, 'gala', id, query.seal!)).toBe(true);
  expect(isFileSeal(key, 'other', id, query.seal!)).toBe(false);
  expect(isFileSeal(key, 'gala', 'i'.repeat(43), query.seal!)).toBe(false);
  expect(isFileSeal(other, 'gala', id, query.seal!)).toBe(false);
});

describe('a scope', () => {
  it.each([
    [{ channelIds: [], includePublic: true }, 'public'],
    [{ channelIds: ['chn_c', 'chn_a', 'chn_a'], includePublic: false }, '1.12'],
    [{ channelIds: ['chn_b'], includePublic: true }, 'public.2'],
    [{ channelIds: ['chn_gone'], includePublic: false }, 'none'],
  ])('of %j is %s, and names the same reach', (reach, scope) => {
    expect(scopeOf(reach, numbers)).toBe(scope);
    const known = [...numbers.keys()].filter((id) => (reach.channelIds as string[]).includes(id));
    expect(reachOf(scope, numbers)).toEqual({ channelIds: known, includePublic: reach.includePublic });
  });

  it('of 500 channels fits an address', () => {
    const many = new Map(Array.from({ length: 500 }, (_, at) => [`chn_${at}`, at + 1]));
    expect(scopeOf({ channelIds: [...many.keys()], includePublic: true }, many).length).toBeLessThan(2_048);
  });

  it('with a channel that is not known names nobody', () => {
    for (const scope of ['3', '1.3', 'x', '', 'public.public', '1.']) expect(reachOf(scope, numbers)).toBeNull();
  });
});
