/**
 * Addresses of the console's views, behind the `#`: `/live/ws_1/events/gala/map?seats=A-1`. Pure.
 *
 * The parts are the mode, the workspace (`all` for every workspace), the name of the view with its parameters, and a
 * query of texts. The view knows what its parameters and its query mean.
 */
export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

export type ViewAddress = {
  mode: Mode;
  /** Null for every workspace. */
  workspaceId: string | null;
  /** The name of the view, then its parameters: `['event', 'gala', 'map']`. Never empty. */
  path: readonly string[];
  query: Readonly<Record<string, string>>;
};

const everyWorkspace = 'all';

export const firstPlace: ViewAddress = { mode: 'live', workspaceId: null, path: ['events'], query: {} };

/** The first place for an address that names none. */
export function placeOf(hash: string): ViewAddress {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [mode, workspace, ...rest] = path.split('/').filter(Boolean).map(decoded);
  return {
    mode: mode === 'test' ? 'test' : 'live',
    workspaceId: workspace === undefined || workspace === everyWorkspace ? null : workspace,
    path: rest.length > 0 ? rest : firstPlace.path,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function addressOf({ mode, workspaceId, path, query }: ViewAddress): string {
  const parts = [mode, workspaceId ?? everyWorkspace, ...path].map(encodeURIComponent);
  const asked = new URLSearchParams(query).toString();
  return `#/${parts.join('/')}${asked === '' ? '' : `?${asked}`}`;
}

/** Another view of the same mode and workspace. */
export const beside = (place: ViewAddress, path: readonly string[], query: ViewAddress['query'] = {}): ViewAddress => {
  return { ...place, path, query };
};

/** A person may have cut an address in the middle of a code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
