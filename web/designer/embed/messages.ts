/** The messages between the designer and the page around it, as both sides know them. */
export const fromDesigner = 'parterre-designer';
export const fromPage = 'parterre-page';
export const messageVersion = 1;

/** What the designer tells, by type. Times are in milliseconds since 1970. */
export type DesignerTold = {
  ready: { authority: 'read-only' | 'edit' | 'publish'; name: string; updatedAt: number };
  dirty: { at: number };
  /** `asked` is the id of the request that this answers. */
  saved: { updatedAt: number; asked?: number };
  published: { publishedVersion: number | null; refreshed: string[]; needsUpdate: string[] };
  error: { code: string; message: string; asked?: number };
};

export type DesignerMessage = {
  [Type in keyof DesignerTold]: {
    source: typeof fromDesigner;
    version: typeof messageVersion;
    type: Type;
    /** Null until the session is known. */
    chartId: string | null;
  } & DesignerTold[Type];
}[keyof DesignerTold];

/** What the page around asks for. `saved` or `error` answers `save` and `token`, with the same id. */
export type PageAsks = { type: 'save'; id: number } | { type: 'token'; token: string; id: number } | { type: 'focus' };
