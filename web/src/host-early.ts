/**
 * `parterre-early.js`: a small script for the head of a host's page. It asks for all files of the picker at once, and
 * for the sale of each `<parterre-map>` with a publishable key, as soon as the element is on the page.
 */
import { baseUrlOf } from './options.ts';
import { eventAddress, openEarly } from './sale/early.ts';

/** The names of the files, put in by the build. */
declare const PICKER_FILES: readonly string[];

for (const name of PICKER_FILES) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = new URL(name, import.meta.url).href;
  document.head.append(link);
}

const opened = new WeakSet<Element>();

/** An access link counts each redemption, and a key as a bearer opens no session. A defined element opens itself. */
function openMaps(): void {
  for (const map of document.querySelectorAll('parterre-map[event][public-key]:not([access], [bearer], :defined)')) {
    if (opened.has(map)) continue;
    opened.add(map);
    const baseUrl = baseUrlOf({ baseUrl: map.getAttribute('base-url') ?? '' });
    void openEarly(eventAddress(baseUrl, map.getAttribute('event')!), map.getAttribute('public-key')!);
  }
}

openMaps();
document.addEventListener('DOMContentLoaded', openMaps);
