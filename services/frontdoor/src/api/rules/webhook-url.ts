/** The addresses that a webhook may have. The notifier checks the resolved address of a name when it dials. Pure. */
import { isRefusedAddress } from '@parterre/shared/protocol/addresses';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/**
 * The URL parser drops or encodes these characters, so the stored address would differ from the address that gets the
 * posts.
 */
const blankOrControl = /[\s\p{Cc}]/u;
/** Other parsers find another host, or none, in `https:name`, `https:///name` and `\`. */
const plainStart = /^[a-z]+:\/\/[^/]/i;
const ipv4Form = /^[0-9.]+$/;
const hostName = /^(?!.{254})[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * The fault of an address, or null. Decimal, octal and short forms of an IPv4 address count as the address that they
 * stand for.
 */
export function webhookUrlIssue(text: string, loopbackOpen: boolean): string | null {
  if (blankOrControl.test(text)) return 'A webhook address contains no white space and no control characters.';
  if (!URL.canParse(text) || !plainStart.test(text) || text.includes('\\'))
    return 'Not a URL of the form https://host/path.';
  const { protocol, username, password, hostname: host, port } = new URL(text);
  // A dot at the end stands for the DNS root.
  const hostname = host.replace(/\.$/, '');
  if (username !== '' || password !== '') return 'A webhook address carries no credentials.';
  if (port === '0') return 'Port 0 takes no connections. Name another port.';
  if (!hostname.startsWith('[') && !hostName.test(hostname)) return 'The host name is invalid.';
  if (loopbackOpen && protocol === 'http:' && loopbackHosts.has(hostname)) return null;
  if (protocol !== 'https:') return 'A webhook address begins with https://.';
  return isInside(hostname, loopbackOpen) ? 'This is not an address of the public internet.' : null;
}

function isInside(hostname: string, loopbackOpen: boolean): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return !loopbackOpen;
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return (address !== hostname || ipv4Form.test(address)) && isRefusedAddress(address, loopbackOpen);
}
