/**
 * The addresses that a webhook may be sent to. Only addresses of the public internet are allowed, so that no
 * subscription can make the notifier call services inside the deployment's own network. The lists are IANA's registries
 * of special-purpose addresses, together with reachable blocks that serve the internet's own infrastructure. IANA hands
 * out only 2000::/3 of IPv6, so only 2000::/3 is allowed, without its special blocks. An IPv4-mapped address counts as
 * its IPv4 address; every other form that wraps IPv4 is refused.
 */
import { BlockList, isIP } from 'node:net';

const loopback = listOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

const mapped = listOf([['::ffff:0:0', 96, 'ipv6']]);
const handedOut = listOf([['2000::', 3, 'ipv6']]);

/** `BlockList` also compares a mapped IPv6 address with the IPv4 blocks. */
const refused = listOf([
  ['0.0.0.0', 8, 'ipv4'], // this host
  ['10.0.0.0', 8, 'ipv4'], // private
  ['100.64.0.0', 10, 'ipv4'], // shared by carriers
  ['127.0.0.0', 8, 'ipv4'], // loopback
  ['168.63.129.16', 32, 'ipv4'], // in no registry: the host of a virtual machine at Azure, as the machine sees it
  ['169.254.0.0', 16, 'ipv4'], // link-local, including cloud metadata
  ['172.16.0.0', 12, 'ipv4'], // private
  ['192.0.0.0', 24, 'ipv4'], // protocol assignments
  ['192.0.2.0', 24, 'ipv4'], // documentation
  ['192.31.196.0', 24, 'ipv4'], // AS112
  ['192.52.193.0', 24, 'ipv4'], // multicast tunnels (AMT)
  ['192.88.99.0', 24, 'ipv4'], // 6to4 relays
  ['192.168.0.0', 16, 'ipv4'], // private
  ['192.175.48.0', 24, 'ipv4'], // AS112
  ['198.18.0.0', 15, 'ipv4'], // benchmarks
  ['198.51.100.0', 24, 'ipv4'], // documentation
  ['203.0.113.0', 24, 'ipv4'], // documentation
  ['224.0.0.0', 4, 'ipv4'], // multicast
  ['240.0.0.0', 4, 'ipv4'], // reserved, including broadcast
  ['2001::', 23, 'ipv6'], // protocol assignments: IPv4 through Teredo, benchmarks, ORCHID
  ['2001:db8::', 32, 'ipv6'], // documentation
  ['2002::', 16, 'ipv6'], // IPv4 through 6to4
  ['2620:4f:8000::', 48, 'ipv6'], // AS112
  ['3fff::', 20, 'ipv6'], // documentation
]);

/** True when no webhook may be sent to `address`, an IP address. `loopbackOpen` allows 127.0.0.0/8 and ::1. */
export function isRefusedAddress(address: string, loopbackOpen: boolean): boolean {
  const version = isIP(address);
  // A zone names an interface of this machine.
  if (version === 0 || address.includes('%')) return true;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (loopbackOpen && loopback.check(address, family)) return false;
  if (version === 6 && !handedOut.check(address, family) && !mapped.check(address, family)) return true;
  return refused.check(address, family);
}

function listOf(subnets: [string, number, 'ipv4' | 'ipv6'][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
