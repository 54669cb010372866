/** Which addresses a webhook may be given. The notifier checks what a name resolves to when it dials. Pure. */
import { isRefusedAddress } from '@parterre/shared/addresses';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The parser of URLs drops or encodes these, so that another address would be kept than is posted to. */
const blankOrControl = /[\s\p{Cc}]/u;
/** Other readers of `https:name`, `https:///name` and `\` find another host there than the parser of URLs, or none. */
const plainStart = /^[a-z]+:\/\/[^/]/i;
const ipv4Form = /^[0-9.]+$/;
const hostName = /^(?!.{254})[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/** What is wrong with it, or null. The decimal, octal and short forms of an IPv4 address read as what they stand for. */
export function webhookUrlIssue(text: string, loopbackOpen: boolean): string | null {
  if (blankOrControl.test(text)) return 'A webhook address has no white space and no control characters.';
  if (!URL.canParse(text) || !plainStart.test(text) || text.includes('\\')) return 'Not a URL.';
  const { protocol, username, password, hostname: host, port } = new URL(text);
  // A dot at the very end is the root's.
  const hostname = host.replace(/\.$/, '');
  if (username !== '' || password !== '') return 'A webhook address carries no credentials.';
  if (port === '0') return 'Nothing listens on port 0.';
  if (!hostname.startsWith('[') && !hostName.test(hostname)) return 'Not the name of a host.';
  if (loopbackOpen && protocol === 'http:' && loopbackHosts.has(hostname)) return null;
  if (protocol !== 'https:') return 'A webhook address begins with https://.';
  return isInside(hostname, loopbackOpen) ? 'This address is not one of the public internet.' : null;
}

function isInside(hostname: string, loopbackOpen: boolean): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return !loopbackOpen;
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return (address !== hostname || ipv4Form.test(address)) && isRefusedAddress(address, loopbackOpen);
}
