/**
 * The origin of a page that reads from its own host. Browsers send no Origin with such a GET, but say `Sec-Fetch-Site: same-origin`, which no
 * script can set: as good a witness as Origin is, from a browser, and only from one. They say it where the page is trustworthy, by
 * https or on this machine, so that the scheme follows from the host. Pure.
 */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Empty where the request is not from a page of its own host. */
export function ownPageOrigin(fetchSite: string, host: string): string {
  if (fetchSite !== 'same-origin') return '';
  const name = host.toLowerCase();
  return `${LOOPBACK.test(name) ? 'http' : 'https'}://${name}`;
}
