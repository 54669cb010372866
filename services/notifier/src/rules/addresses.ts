/**
 * Which addresses a webhook may be sent to. Everything that is not plainly the public internet is refused, so that a
 * subscription's address cannot make the notifier speak to services inside its own network. `BlockList` reads an
 * IPv4-mapped IPv6 address as the IPv4 address it stands for; the other ways of wrapping IPv4 are refused whole.
 */
import { BlockList, isIP } from 'node:net';

const loopback = listOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

const refused = listOf([
  ['0.0.0.0', 8, 'ipv4'], // this host
  ['10.0.0.0', 8, 'ipv4'], // private
  ['100.64.0.0', 10, 'ipv4'], // shared by carriers
  ['127.0.0.0', 8, 'ipv4'], // loopback
  ['169.254.0.0', 16, 'ipv4'], // link-local, cloud metadata among it
  ['172.16.0.0', 12, 'ipv4'], // private
  ['192.0.0.0', 24, 'ipv4'], // protocol assignments
  ['192.168.0.0', 16, 'ipv4'], // private
  ['198.18.0.0', 15, 'ipv4'], // benchmarks
  ['224.0.0.0', 4, 'ipv4'], // multicast
  ['240.0.0.0', 4, 'ipv4'], // reserved, broadcast among it
  ['::', 96, 'ipv6'], // unspecified, loopback and IPv4-compatible
  ['64:ff9b::', 96, 'ipv6'], // IPv4 through NAT64
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'], // IPv4 through 6to4
  ['2001::', 32, 'ipv6'], // IPv4 through Teredo
  ['fc00::', 7, 'ipv6'], // unique-local
  ['fe80::', 10, 'ipv6'], // link-local
  ['fec0::', 10, 'ipv6'], // site-local
  ['ff00::', 8, 'ipv6'], // multicast
]);

/** True when nothing may be sent to `address`, an IP address; `loopbackOpen` lets through 127.0.0.0/8 and ::1. */
export function isRefusedAddress(address: string, loopbackOpen: boolean): boolean {
  const version = isIP(address);
  if (version === 0) return true;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (loopbackOpen && loopback.check(address, family)) return false;
  return refused.check(address, family);
}

function listOf(subnets: [string, number, 'ipv4' | 'ipv6'][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
