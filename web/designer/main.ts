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
import { Entrance } from './session/entrance.ts';
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

const entrance = new Entrance<Workplace>({ open, take, answer });
let chartId: string | null = null;
const parent = createParent(
  framer,
  () => chartId,
  (what) => entrance.hear(what),
);

const sheet = new CSSStyleSheet();
sheet.replaceSync(savingLooks + startLooks);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
// A fresh address in the same tab has another token.
window.addEventListener('hashchange', () => {
  if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
});
void entrance.open();

async function open(): Promise<Workplace | null> {
  if (token === null) return show({ kind: 'none' });
  show({ kind: 'opening' });
  const opened = await openSession(server, framer);
  if (opened.ok) return work(opened.value);
  if (opened.failure) tellProblem(opened.failure.problem);
  return show(opened.cover);
}

function take(given: string): void {
  tokens.set(given);
  tokens.keep(given);
}

function answer(asked: number, workplace: Workplace | null): void {
  if (workplace) parent.tell('saved', { updatedAt: workplace.updatedAt, asked });
  else parent.tell('error', { code: 'unauthorized', message: words.text('session.ended'), asked });
}

/** No place to work on. */
function show(shown: Cover): null {
  render(
    cover(words, shown, () => void entrance.open()),
    root,
  );
  if (shown.kind === 'none') parent.tell('error', { code: 'unauthorized', message: words.text('session.none') });
  return null;
}

function tellProblem(problem: { code: string; message?: string }): void {
  parent.tell('error', { code: problem.code, message: problem.message ?? problem.code });
}

function work({ session, chart }: Opened): Workplace {
  render(nothing, root);
  chartId = session.chartId;
  const workplace = new Workplace({ root, words, server, parent, clock, token: tokens }, session, chart);
  const { name, updatedAt } = chart.meta;
  parent.tell('ready', { authority: session.authority, name, updatedAt });
  return workplace;
}
