/**
 * The page around the designer. Messages go to the session's allowed origin and to no other, and messages are heard from
 * the frame's parent with this origin alone. In a tab of its own the designer has no parent, and tells nobody.
 */
const FROM_DESIGNER = 'parterre-designer';
const FROM_PAGE = 'parterre-page';
export const messageVersion = 1;

/** What the designer tells, by type. */
export type Told = {
  ready: { authority: string; name: string; updatedAt: number };
  dirty: { at: number };
  saved: { updatedAt: number };
  published: { publishedVersion: number | null; refreshed: string[]; needsUpdate: string[] };
  error: { code: string; message: string };
};

/** What the page around asks for. `save` and `token` are answered by `saved` or `error`. */
export type Asked = { type: 'save' } | { type: 'focus' } | { type: 'token'; token: string };

export type Parent = {
  tell<Type extends keyof Told>(type: Type, data: Told[Type]): void;
  end(): void;
};

/** `origin` is the only one to talk to; null for none. */
export function createParent(
  origin: string | null,
  chartId: () => string | null,
  asked: (what: Asked) => void,
): Parent {
  const parent = window.parent === window ? null : window.parent;

  function hear({ source, origin: from, data }: MessageEvent): void {
    if (parent === null || source !== parent || from !== origin) return;
    if (typeof data !== 'object' || data === null || data.source !== FROM_PAGE) return;
    if (data.type === 'save' || data.type === 'focus') asked({ type: data.type });
    else if (data.type === 'token' && typeof data.token === 'string') asked({ type: 'token', token: data.token });
  }

  window.addEventListener('message', hear);
  return {
    tell(type, data) {
      if (parent === null || origin === null) return;
      const message = { source: FROM_DESIGNER, version: messageVersion, type, chartId: chartId(), ...data };
      parent.postMessage(message, origin);
    },
    end: () => window.removeEventListener('message', hear),
  };
}
