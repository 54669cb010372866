/** Shortcuts as text: `Mod+Shift+Z`, where Mod is Ctrl, and ⌘ on a Mac. */
export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

/** The keys of an event in the same form: `Shift+ArrowLeft`, `?`, `Mod+D`. */
export function keysOf(event: KeyboardEvent): string {
  const { key } = event;
  const isLetter = /^\p{L}$/u.test(key);
  const isSign = key.length === 1 && !isLetter;
  const parts = [];
  if (isMac ? event.metaKey : event.ctrlKey) parts.push('Mod');
  if (event.altKey) parts.push('Alt');
  // Shift is a part of a sign such as `?`, wherever it stands on the keyboard.
  if (event.shiftKey && !isSign) parts.push('Shift');
  parts.push(isLetter ? key.toUpperCase() : key === ' ' ? 'Space' : key);
  return parts.join('+');
}

const signs: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Delete: 'Del',
  Escape: 'Esc',
  Arrows: '← ↑ → ↓',
};

/** For people; none for a command without keys. */
export function shownKeys(keys: string): string[] {
  if (keys === '') return [];
  const parts = keys === 'Mod++' ? ['Mod', '+'] : keys === '+' ? ['+'] : keys.split('+');
  return parts.map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (signs[part] ?? part)));
}

/** For `aria-keyshortcuts`. */
export function ariaKeys(keys: string): string {
  return keys.replace('Mod', isMac ? 'Meta' : 'Control');
}

/** True in a field that takes letters itself. */
export function isTyping(event: Event): boolean {
  const field = event.composedPath()[0];
  if (!(field instanceof HTMLElement)) return false;
  const isText =
    field instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'color'].includes(field.type);
  return (
    isText || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement || field.isContentEditable
  );
}
