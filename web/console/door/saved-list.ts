/**
 * The door list as one HTML file: it needs no server, no sign-in and no connection, and works after a reload, on
 * another device and in ten years. All rows stand in the page, so it prints and is read without its script too. The
 * script searches, sorts, and marks who has come in; marks stay in the browser where it keeps something for files.
 * Pure.
 *
 * Why not a service worker: the console's own address would then be answered from a cache, with the session of
 * somebody who may have left, until the worker notices. A file says by its name from when it is, and the person
 * sees where it lies.
 */
import { columnsIn, type DoorRow } from './door-list.ts';

export type SavedWords = {
  locale: string;
  direction: 'ltr' | 'rtl';
  title: string;
  /** From when the list is. */
  from: string;
  search: string;
  /** Has `{places}`, `{all}` and `{inside}`. */
  shown: string;
  print: string;
  columns: {
    in: string;
    ref: string;
    place: string;
    section: string;
    entrance: string;
    category: string;
    guests: string;
  };
};

export function savedList(rows: readonly DoorRow[], words: SavedWords): string {
  const { locale, direction, title, from, search, shown, print, columns } = words;
  const names = columnsIn(rows);
  const head = names.map((name) => `<th scope="col"><button type="button">${escaped(columns[name])}</button></th>`);
  const lines = rows.map((row) => {
    const mark = `<td><input type="checkbox" aria-label="${escaped(`${columns.in}: ${row.ref}, ${row.place}`)}" data-label="${escaped(row.label)}"></td>`;
    return `<tr>${mark}${names.map((name) => `<td>${escaped(String(row[name]))}</td>`).join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="${escaped(locale)}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><style>${looks}</style></head>
<body><h1>${escaped(title)}</h1><p>${escaped(from)}</p>
<p class="tools"><label>${escaped(search)} <input type="search" id="search" autocomplete="off"></label>
<button type="button" id="print">${escaped(print)}</button> <span id="shown" role="status" data-words="${escaped(shown)}"></span></p>
<div class="wide" tabindex="0" role="region" aria-label="${escaped(title)}"><table><thead><tr><th scope="col">${escaped(columns.in)}</th>${head.join('')}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody></table></div>
<script>${`(${program})(${scriptText(title + from)})`}</script></body></html>
`;
}

const looks = `
body { margin: 16px; font: 16px/1.4 system-ui, sans-serif; } h1 { margin: 0; }
input, button { font: inherit; min-height: 36px; } thead button { min-height: 0; border: 0; padding: 0; background: none; color: inherit; font-weight: 600; cursor: pointer; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: start; padding: 6px 8px; border-bottom: 1px solid #8888; }
td input { width: 22px; min-height: 22px; } tr:has(input:checked) { opacity: .75; text-decoration: line-through; }
th[aria-sort=ascending] button::after { content: " \\2191"; } th[aria-sort=descending] button::after { content: " \\2193"; }
@media print { .tools { display: none; } thead { display: table-header-group; } tr { break-inside: avoid; } }`;

/** Runs in the saved page. \`name\` keeps the marks of one list apart from those of another. */
const program = `function (name) {
  const body = document.querySelector('tbody'), rows = [...body.rows], search = document.getElementById('search');
  const shown = document.getElementById('shown'), heads = [...document.querySelectorAll('thead th')];
  const compare = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;
  let marks = new Set();
  try { marks = new Set(JSON.parse(localStorage.getItem(name) || '[]')); } catch {}
  const boxes = [...body.querySelectorAll('input')];
  for (const box of boxes) box.checked = marks.has(box.dataset.label);
  function tell() {
    const seen = rows.filter((row) => !row.hidden).length;
    shown.textContent = shown.dataset.words.replace('{places}', seen).replace('{all}', rows.length)
      .replace('{inside}', boxes.filter((box) => box.checked).length);
  }
  body.addEventListener('change', () => {
    try { localStorage.setItem(name, JSON.stringify(boxes.filter((box) => box.checked).map((box) => box.dataset.label))); } catch {}
    tell();
  });
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    tell();
  });
  heads.forEach((head, at) => head.querySelector('button')?.addEventListener('click', () => {
    const isDown = head.getAttribute('aria-sort') === 'ascending';
    for (const each of heads) each.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
    const cell = (row) => row.cells[at].textContent;
    body.append(...rows.sort((one, other) => compare(cell(one), cell(other)) * (isDown ? -1 : 1)));
  }));
  document.getElementById('print').addEventListener('click', () => print());
  tell();
}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!);
/** A text within a script: a "<" could end it. */
const scriptText = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');
