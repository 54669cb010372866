/** The caller's address behind proxies: the trusted part of X-Forwarded-For. */
import { describe, expect, it } from 'vitest';
import {
  countedAddress,
  networkOf,
  readTrustedProxies,
} from '../../../services/frontdoor/src/admission/rules/client-address.ts';

function addressBehind(proxies: string, peer: string, forwardedFor: string): string {
  const read = readTrustedProxies(proxies);
  if ('fault' in read) throw new Error(read.fault);
  return read.clientAddress(peer, forwardedFor);
}

describe('the client', () => {
  it.each([
    ['nobody is trusted', '', '10.0.0.1', '203.0.113.7', '10.0.0.1'],
    ['a socket writes IPv4 as IPv6', '', '0000:0000:0000:0000:0000:ffff:0a00:0001', '', '10.0.0.1'],
    ['the peer is no proxy of ours', '10.0.0.0/8', '198.51.100.9', '203.0.113.7', '198.51.100.9'],
    ['the proxy said who called it', '10.0.0.0/8', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['the caller made up what comes before', '10.0.0.0/8', '10.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['several proxies of ours', '10.0.0.0/8,192.0.2.4', '10.0.0.1', '1.1.1.1, 203.0.113.7, 192.0.2.4', '203.0.113.7'],
    ['all are ours', '10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the proxy said nothing', '10.0.0.0/8', '10.0.0.1', '', '10.0.0.1'],
    ['the proxy said nonsense', '10.0.0.0/8', '10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
    ['a port stands behind it', '10.0.0.0/8', '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['it has version 6', 'fd00::/8', 'fd00:0000:0000:0000:0000:0000:0000:0001', '[2001:DB8::7]:4711', '2001:db8::7'],
    [
      'the peer is written as version 6',
      '10.0.0.0/8',
      '0000:0000:0000:0000:0000:ffff:0a00:0001',
      '203.0.113.7',
      '203.0.113.7',
    ],
    ['one address is trusted', '10.0.0.1', '10.0.0.2', '203.0.113.7', '10.0.0.2'],
    ['every caller is trusted', '0.0.0.0/0,::/0', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ])('where %s', (_, proxies, peer, forwardedFor, client) => {
    expect(addressBehind(proxies, peer, forwardedFor)).toBe(client);
  });
});

describe('a network', () => {
  it.each([
    ['198.51.100.77', '198.51.100.77', '198.51.100.0/24'],
    ['::ffff:198.51.100.77', '198.51.100.77', '198.51.100.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64', '0:0:0:0::/64'],
    ['::1:2:3:4:5', '0:0:0:1::/64', '0:0:0:1::/64'],
    ['::', '0:0:0:0::/64', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/64'],
  ])('of %s', (written, counted, network) => {
    const address = addressBehind('', written, '');
    expect([countedAddress(address), networkOf(address)]).toEqual([counted, network]);
  });

  it('of a caller that is gone is empty', () => {
    expect([countedAddress(''), networkOf('')]).toEqual(['', '']);
  });
});

it.each(['10.0.0.0/33', 'proxy.internal', '10.0.0', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/'])(
  'is not set to %s',
  (proxies) => {
    expect(readTrustedProxies(proxies)).toEqual({ fault: expect.stringContaining(proxies) });
  },
);
