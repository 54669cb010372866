import { isRefusedAddress } from '@parterre/shared/protocol/addresses';
import { describe, expect, it } from 'vitest';

const loopbacks = ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];
const inside = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '168.63.129.16',
  '192.0.0.9',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::10.0.0.1',
  '::ffff:0:808:808',
  '64:ff9b::a00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:1::1',
  '2001:2::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:a00:1::',
  '2002:808:808::',
  '2620:4f:8000::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
];
const outside = [
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '3ffe:ffff::1',
  '::ffff:8.8.8.8',
];

describe('addresses of webhooks', () => {
  it.each([...loopbacks, ...inside])('refuses %s', (address) => {
    expect(isRefusedAddress(address, false)).toBe(true);
  });

  it.each(outside)('allows %s', (address) => {
    expect(isRefusedAddress(address, false)).toBe(false);
  });

  it.each(loopbacks)('allows %s where loopback is opened', (address) => {
    expect(isRefusedAddress(address, true)).toBe(false);
  });

  it.each(inside)('refuses %s where loopback is opened', (address) => {
    expect(isRefusedAddress(address, true)).toBe(true);
  });
});
