/**
 * The designer's page: it opens the session of its address, and holds the editor, saving and the shell together.
 * - session/: the token, the calls, the rights, the page around.
 * - saving/: saving, drafts, merges with others, publishing, and their part of the top bar.
 * - document/, edits/, labelling/, painting/: the chart and its edits, pure.
 * - exporting/: the chart as a file; start/: the templates for an empty chart.
 * - canvas/, tools/, frame/, panels/, shell.ts: the page that a person works on.
 * - embed/: the element for the page around, a script of its own.
 */
import { nothing, render } from 'lit-html';
import { createClock } from '../src/sale/clock.ts';
import { designerWords } from './messages/words.ts';
import { savingLooks } from './saving/looks.ts';
import { createServer } from './session/calls.ts';
import { type Cover, cover } from './session/cover.ts';
import { type Opened, openSession } from './session/opening.ts';
import { keepToken, tabStorage, takeToken } from './session/page-token.ts';
import { createParent } from './session/parent.ts';
import { startLooks } from './start/looks.ts';
import { Workplace } from './workplace.ts';

const root = document.querySelector<HTMLElement>('#designer')!;
const storage = tabStorage();
const words = designerWords();
const clock = createClock();
let token = takeToken(window, storage);
const isFramed = window.parent !== window;
const framer = isFramed ? (new URLSearchParams(location.search).get('parent') ?? '') : null;
const server = createServer(clock, () => token ?? '');
const tokens = {
  get: () => token,
  set: (next: string | null) => {
    token = next;
  },
  keep: (next: string) => keepToken(next, storage),
};

let workplace: Workplace | null = null;
const parent = createParent(
  framer,
  () => workplace?.chartId ?? null,
  (what) => {
    if (workplace) workplace.hear(what);
    else if (what.type === 'token') void openWith(what.token, what.id);
  },
);

const sheet = new CSSStyleSheet();
sheet.replaceSync(savingLooks + startLooks);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
// A fresh address in the same tab has another token.
window.addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
});
void open();

async function open(): Promise<void> {
  if (token === null) return show({ kind: 'none' });
  show({ kind: 'opening' });
  const opened = await openSession(server, framer);
  if (opened.ok) return work(opened.value);
  show(opened.cover);
  if (opened.failure) tellProblem(opened.failure.problem);
}

/** The platform's fresh token, for a page that had none or an ended one. */
async function openWith(given: string, asked: number): Promise<void> {
  token = given;
  keepToken(given, storage);
  await open();
  if (workplace) parent.tell('saved', { updatedAt: workplace.updatedAt, asked });
  else parent.tell('error', { code: 'unauthorized', message: words.text('session.ended'), asked });
}

function show(shown: Cover): void {
  render(
    cover(words, shown, () => void open()),
    root,
  );
  if (shown.kind === 'none') parent.tell('error', { code: 'unauthorized', message: words.text('session.none') });
}

function tellProblem(problem: { code: string; message?: string }): void {
  parent.tell('error', { code: problem.code, message: problem.message ?? problem.code });
}

function work({ session, chart }: Opened): void {
  render(nothing, root);
  workplace = new Workplace({ root, words, server, parent, clock, token: tokens }, session, chart);
  const { name, updatedAt } = chart.meta;
  parent.tell('ready', { authority: session.authority, name, updatedAt });
}
