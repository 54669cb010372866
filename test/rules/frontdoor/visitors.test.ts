/** The facts of a visitor of public sale that a front door sends to an event's actor. */
import { generateKeySync } from 'node:crypto';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { PublicSale } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import type { KnownEvent } from '../../../services/frontdoor/src/admission/admission.ts';
import { asVisitor } from '../../../services/frontdoor/src/api/calls/visitors.ts';

const caller: Caller = { source: 'buyer', actor: 'key_1', accessSource: 'public' };
const visitorKey = generateKeySync('hmac', { length: 256 });
const publicSession = { kind: 'buyer', sessionId: 'ses_1', keyId: 'key_1' };

type Setting = {
  principal?: object;
  isProxy?: ((address: string) => boolean) | null;
  address?: string;
  key?: string;
  own?: PublicSale | null;
  organisationSale?: PublicSale;
};

function visitorOf({ principal = { kind: 'publishable', keyId: 'key_1' }, ...setting }: Setting = {}) {
  const { isProxy = null, address = '203.0.113.9', key = 'gala', own = null, organisationSale } = setting;
  const call = { principal, ports: { isProxy, visitorKey }, request: { address: () => address } };
  const event = { event: { key, publicSale: own }, ...(organisationSale && { organisationSale }) };
  return asVisitor(call as unknown as Parameters<typeof asVisitor>[0], event as KnownEvent, caller).visitor;
}

const behindProxies = { isProxy: (address: string) => address.startsWith('10.') };
const bounded = { maxHeldPerAddress: 100 };

test.each<[string, Setting, object | undefined]>([
  ['a key is a visitor without a session', {}, {}],
  ['a session that a key opened counts', { principal: publicSession }, { isSession: true }],
  [
    'a session for a group that a key opened counts',
    { principal: { kind: 'owner-buyer', keyId: 'k' } },
    { isSession: true },
  ],
  [
    'a session that a back end minted is bound by itself',
    { principal: { kind: 'buyer', sessionId: 'ses_1' } },
    undefined,
  ],
  ["the organisation's bounds go along", { organisationSale: { maxPerHold: 8 } }, { bounds: { maxPerHold: 8 } }],
])('%s', (_, setting, visitor) => {
  expect(visitorOf(setting)).toEqual(visitor);
});

test.each<[string, Setting, boolean]>([
  ['not without trusted proxies', {}, false],
  ['behind trusted proxies', behindProxies, true],
  ['not where the last address is a proxy, which named no client', { ...behindProxies, address: '10.0.0.4' }, false],
  ['not where the connection is gone', { ...behindProxies, address: '' }, false],
  ['where the event bounds addresses', { own: bounded }, true],
  ['where the organisation bounds addresses', { organisationSale: bounded }, true],
])('an address counts: %s', (_, setting, counts) => {
  expect(visitorOf(setting)?.address !== undefined).toBe(counts);
});

test('an address is a keyed hash of its event, and an IPv6 network of 64 bits is one address', () => {
  const hashOf = (address: string, key = 'gala') => visitorOf({ ...behindProxies, address, key })!.address!;
  expect(hashOf('203.0.113.9')).toMatch(/^vst_[0-9A-Za-z]{22}$/);
  expect(hashOf('203.0.113.9')).toBe(hashOf('203.0.113.9'));
  expect(hashOf('203.0.113.9')).not.toBe(hashOf('203.0.113.10'));
  expect(hashOf('203.0.113.9')).not.toBe(hashOf('203.0.113.9', 'encore'));
  expect(hashOf('2001:db8:1:2:3::4')).toBe(hashOf('2001:db8:1:2::9'));
  expect(hashOf('2001:db8:1:2::9')).not.toBe(hashOf('2001:db8:1:3::9'));
});
