/**
 * The page around the designer. Messages go to the session's allowed origin and to no other, and messages are heard
 * from the frame's parent with this origin alone. In a tab of its own the designer has no parent, and tells nobody.
 */
import { type DesignerTold, fromDesigner, fromPage, messageVersion, type PageAsks } from '../embed/messages.ts';

export type Parent = {
  tell<Type extends keyof DesignerTold>(type: Type, data: DesignerTold[Type]): void;
  end(): void;
};

/** `origin` is the only one to talk to; null for none. */
export function createParent(
  origin: string | null,
  chartId: () => string | null,
  asked: (what: PageAsks) => void,
): Parent {
  const parent = window.parent === window ? null : window.parent;

  function hear({ source, origin: from, data }: MessageEvent): void {
    if (parent === null || source !== parent || from !== origin) return;
    if (isAsking(data)) asked(data);
  }

  window.addEventListener('message', hear);
  return {
    tell(type, data) {
      if (parent === null || !origin) return;
      parent.postMessage({ source: fromDesigner, version: messageVersion, type, chartId: chartId(), ...data }, origin);
    },
    end: () => window.removeEventListener('message', hear),
  };
}

function isAsking(data: unknown): data is PageAsks {
  if (typeof data !== 'object' || data === null || (data as { source?: unknown }).source !== fromPage) return false;
  const { type, id, token } = data as { type?: unknown; id?: unknown; token?: unknown };
  if (type === 'focus') return true;
  if (typeof id !== 'number') return false;
  return type === 'save' || (type === 'token' && typeof token === 'string');
}
