/**
 * The origin of a page that reads from its own host. Browsers send no Origin with such a GET but `Sec-Fetch-Site:
 * same-origin`, which no script can set. The header proves as much as Origin does: both are reliable from a browser,
 * and only from a browser. Browsers send the header only for pages that come by https or from the local machine, so the
 * scheme follows from the host. Pure.
 */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Empty if the request is not from a page of its own host. */
export function ownPageOrigin(fetchSite: string, host: string): string {
  if (fetchSite !== 'same-origin') return '';
  const name = host.toLowerCase();
  return `${LOOPBACK.test(name) ? 'http' : 'https'}://${name}`;
}
