import { describe, expect, it } from 'vitest';
import { isRefusedAddress } from '../../services/notifier/src/rules/addresses.ts';

const loopbacks = ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'];
const inside = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  'not an address',
];
const outside = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];

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
