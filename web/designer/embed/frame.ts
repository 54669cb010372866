/**
 * The frame of a designer. States of a request: sent → answered, by the first `saved` or `error` with its id; the end
 * of the frame answers what is left with false. A frame that never answers keeps its requests, at most ASKED_MAX.
 */
import { type DesignerMessage, fromDesigner, fromPage, messageVersion, type PageAsks } from './messages.ts';

export type DesignerFrame = {
  save(): Promise<boolean>;
  renew(token: string): Promise<boolean>;
  focus(): void;
  name(label: string): void;
  end(): void;
};

const ASKED_MAX = 100;
const types = new Set(['ready', 'dirty', 'saved', 'published', 'error']);

export function createFrame(
  parent: ShadowRoot,
  address: URL,
  label: string,
  heard: (message: DesignerMessage) => void,
): DesignerFrame {
  const frame = document.createElement('iframe');
  frame.title = label;
  frame.referrerPolicy = 'no-referrer';
  frame.allow = 'clipboard-read; clipboard-write; fullscreen';
  frame.src = address.href;
  const asked = new Map<number, (isDone: boolean) => void>();
  let lastId = 0;

  function hear({ source, origin, data }: MessageEvent): void {
    if (source === null || source !== frame.contentWindow || origin !== address.origin) return;
    if (!isMessage(data)) return;
    const id = 'asked' in data ? data.asked : undefined;
    if (id !== undefined) {
      asked.get(id)?.(data.type === 'saved');
      asked.delete(id);
    }
    heard(data);
  }

  function ask(what: PageAsks): void {
    frame.contentWindow?.postMessage({ source: fromPage, version: messageVersion, ...what }, address.origin);
  }

  function request(make: (id: number) => PageAsks): Promise<boolean> {
    if (asked.size >= ASKED_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      const id = ++lastId;
      asked.set(id, resolve);
      ask(make(id));
    });
  }

  window.addEventListener('message', hear);
  parent.replaceChildren(frame);
  return {
    save: () => request((id) => ({ type: 'save', id })),
    renew: (token) => request((id) => ({ type: 'token', token, id })),
    focus() {
      frame.focus();
      ask({ type: 'focus' });
    },
    name(text) {
      frame.title = text;
    },
    end() {
      window.removeEventListener('message', hear);
      frame.remove();
      for (const answer of asked.values()) answer(false);
      asked.clear();
    },
  };
}

function isMessage(data: unknown): data is DesignerMessage {
  if (typeof data !== 'object' || data === null) return false;
  const { source, version, type } = data as Partial<DesignerMessage>;
  return source === fromDesigner && version === messageVersion && types.has(type ?? '');
}
