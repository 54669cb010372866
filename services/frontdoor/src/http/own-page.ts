/**
 * The origin of a page that reads from its own host. Browsers send no Origin with such a GET but `Sec-Fetch-Site:
 * same-origin`, which no script can set. It proves as much as Origin does: it is reliable from a browser, and only from
 * a browser. Browsers send it for trustworthy pages only, that is by https or on this machine, so the scheme follows
 * from the host. Pure.
 */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Empty if the request is not from a page of its own host. */
export function ownPageOrigin(fetchSite: string, host: string): string {
  if (fetchSite !== 'same-origin') return '';
  const name = host.toLowerCase();
  return `${LOOPBACK.test(name) ? 'http' : 'https'}://${name}`;
}
