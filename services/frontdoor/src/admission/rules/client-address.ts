/**
 * The caller's address behind proxies, and the networks that addresses count as. Each proxy appends the address that
 * called it to X-Forwarded-For, and a caller can invent all earlier addresses. So the list is read from the right, as
 * long as a trusted proxy wrote the address. Pure.
 */
import { BlockList, isIP, SocketAddress } from 'node:net';

/** `peer` is the other end of the connection, `forwardedFor` the whole header. */
export type ClientAddress = (peer: string, forwardedFor: string) => string;

/** Whether an address of `ClientAddress` is a trusted proxy, which named no client. Null if no proxy is trusted. */
export type IsProxy = ((address: string) => boolean) | null;

/** Reads addresses and networks in CIDR notation, comma-separated. Returns the fault if an item is neither. */
export function readTrustedProxies(
  text: string,
): { clientAddress: ClientAddress; isProxy: IsProxy } | { fault: string } {
  const networks = text.split(',').map((each) => each.trim());
  const named = networks.filter((each) => each !== '');
  if (named.length === 0) return { clientAddress: (peer) => plain(peer) ?? peer, isProxy: null };
  const trusted = new BlockList();
  for (const network of named) {
    if (!add(trusted, network)) return { fault: `${network} is neither an address nor a network such as 10.0.0.0/8` };
  }
  return {
    clientAddress: (peer, forwardedFor) => clientBehind(trusted, peer, forwardedFor),
    isProxy: (address) => isTrusted(trusted, address),
  };
}

function add(trusted: BlockList, network: string): boolean {
  const [address = '', bits, more] = network.split('/');
  const family = familyOf(address);
  if (family === null || more !== undefined) return false;
  if (bits === undefined) trusted.addAddress(address, family);
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128)) {
    trusted.addSubnet(address, Number(bits), family);
  } else return false;
  return true;
}

function clientBehind(trusted: BlockList, peer: string, forwardedFor: string): string {
  let client = plain(peer) ?? peer;
  const hops = forwardedFor === '' ? [] : forwardedFor.split(',');
  while (hops.length > 0 && isTrusted(trusted, client)) {
    const before = plain(hops.pop()!.trim());
    // A trusted proxy wrote an unreadable address. The proxy's own address is the last known address.
    if (before === null) break;
    client = before;
  }
  return client;
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== null && trusted.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}

const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;
const MAPPED = '::ffff:';

/** The canonical form of an address, without a port; null if the text is no address. */
function plain(written: string): string | null {
  const { v6, v4 } = WITH_PORT.exec(written)?.groups ?? {};
  const address = v6 ?? v4 ?? written;
  const family = familyOf(address);
  if (family !== 'ipv6') return family && address;
  const short = new SocketAddress({ address, family }).address;
  return short.startsWith(MAPPED) && isIP(short.slice(MAPPED.length)) === 4 ? short.slice(MAPPED.length) : short;
}

/**
 * The name under which budgets count an address. A household or a server gets a whole IPv6 network of 64 bits, so all
 * addresses of the network count as one caller. The address is in its canonical form.
 */
export function countedAddress(address: string): string {
  return address.includes(':') ? networkOf64Bits(address) : address;
}

/** The network of an address in its canonical form: /24 of IPv4, /64 of IPv6. Any other text is its own network. */
export function networkOf(address: string): string {
  if (address.includes(':')) return networkOf64Bits(address);
  const end = address.lastIndexOf('.');
  return end < 0 ? address : `${address.slice(0, end)}.0/24`;
}

/** The first four groups of an address. The canonical form may leave out a run of zeros, and has no leading zeros. */
function networkOf64Bits(address: string): string {
  const [before, after] = address.split('::') as [string, string?];
  const groups = before === '' ? [] : before.split(':');
  if (after !== undefined) {
    const last = after === '' ? [] : after.split(':');
    while (groups.length + last.length < IPV6_GROUPS) groups.push('0');
    groups.push(...last);
  }
  return `${groups.slice(0, IPV6_GROUPS / 2).join(':')}::/64`;
}

const IPV6_GROUPS = 8;
