/**
 * The session's token: from the fragment of the page's address, out of which it goes at once, so that no history and no
 * copied address has it. A reload of the tab finds it in sessionStorage. Where a browser gives a frame no storage, a
 * reload needs a fresh address.
 */
const NAME = 'parterre:designer';

type PageAddress = { location: Pick<Location, 'hash' | 'pathname' | 'search'>; history: Pick<History, 'replaceState'> };

/** The token, or null without one. `storage` is null where the browser has none. */
export function takeToken({ location, history }: PageAddress, storage: Storage | null): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return storage?.getItem(NAME) ?? null;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  keepToken(given, storage);
  return given;
}

export function keepToken(token: string, storage: Storage | null): void {
  try {
    storage?.setItem(NAME, token);
  } catch {
    // A full storage costs a reload, nothing else.
  }
}

export function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
