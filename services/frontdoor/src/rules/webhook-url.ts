/** Which addresses a webhook may be given. The notifier checks what a name resolves to when it dials. Pure. */
import { isRefusedAddress } from '@parterre/shared/addresses';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const ipv4Form = /^[0-9.]+$/;

/** What is wrong with it, or null. The decimal, octal and short forms of an IPv4 address read as what they stand for. */
export function webhookUrlIssue(text: string, loopbackOpen: boolean): string | null {
  if (!URL.canParse(text)) return 'Not a URL.';
  const { protocol, username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') return 'A webhook address carries no credentials.';
  if (loopbackOpen && protocol === 'http:' && loopbackHosts.has(hostname)) return null;
  if (protocol !== 'https:') return 'A webhook address begins with https://.';
  return isInside(hostname, loopbackOpen) ? 'This address is not one of the public internet.' : null;
}

function isInside(hostname: string, loopbackOpen: boolean): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return !loopbackOpen;
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return (address !== hostname || ipv4Form.test(address)) && isRefusedAddress(address, loopbackOpen);
}
