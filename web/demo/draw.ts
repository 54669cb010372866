/**
 * "Draw your own" in the demo: a visitor chooses a template, draws in the designer, and puts the drawing on sale.
 * States: choosing → drawing → on sale, which is the picker's demo page. A reload goes on with the drawing of this tab,
 * until its session ends.
 */
import { html, nothing, render } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { ParterreDesignerElement } from '../designer/embed/element.ts';

type Size = { name: string; label: string; min: number; max: number; default: number };
type Template = { id: string; name: string; description: string; sizes: Size[]; seatTotal: number };
type Draft = { chartId: string; token: string; designerUrl: string; expiresAt: number };
type Problem = { message?: string; issues?: { path: string; message: string }[] };

const kept = 'parterre-draft';
const find = <E extends HTMLElement>(selector: string): E => document.querySelector<E>(selector)!;
const form = find<HTMLFormElement>('#start');
const sizes = find('#sizes');
const steps = find('#steps');
const sell = find<HTMLButtonElement>('#sell');
const designer = find<ParterreDesignerElement>('parterre-designer');
const empty: Template = {
  id: '',
  name: 'Empty page',
  description: 'Draw everything yourself.',
  sizes: [],
  seatTotal: 0,
};

let templates: Template[] = [];
let draft: Draft | null = null;
/** A call is under way. */
let isBusy = false;

/** The answer of a success. Shows the problem of any other answer, and gives null. */
async function call<T>(path: string, body: unknown): Promise<T | null> {
  const headers = { 'Content-Type': 'application/json' };
  try {
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const told: unknown = await answer.json();
    if (answer.ok) return told as T;
    show(told as Problem);
  } catch {
    show({ message: 'The server cannot be reached. Try again.' });
  }
  return null;
}

function show({ message, issues = [] }: Problem): void {
  const why = find('#why');
  const listed = html`<ul>${issues.map((issue) => html`<li>${issue.path}: ${issue.message}</li>`)}</ul>`;
  render(html`${message ?? 'The server refused without a reason.'}${issues.length > 0 ? listed : nothing}`, why);
  why.hidden = false;
}

/** One at a time. The button keeps its focus, and says that it waits. */
async function busy(button: HTMLElement, work: () => Promise<void>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  find('#why').hidden = true;
  button.setAttribute('aria-disabled', 'true');
  await work().finally(() => {
    isBusy = false;
    button.removeAttribute('aria-disabled');
  });
}

function choiceOf({ id, name, description, seatTotal }: Template, index: number) {
  const places = seatTotal > 0 ? `About ${seatTotal.toLocaleString('en')} places.` : '';
  return html`<label class="choice">
    <input type="radio" name="template" value=${id} ?checked=${index === 0} />
    <b>${name}</b><span>${description}</span><small>${places}</small>
  </label>`;
}

function chosen(): Template {
  const id = new FormData(form).get('template');
  return templates.find((each) => each.id === id) ?? empty;
}

function askForSizes(): void {
  const template = chosen();
  const fieldOf = ({ name, label, min, max, default: usual }: Size) =>
    html`<label class="field">${label} (${min} to ${max})
      <input type="number" required name=${`size ${name}`} min=${min} max=${max} value=${usual} />
    </label>`;
  // Keyed by template: the fields of another template begin with its own usual sizes.
  render(keyed(template.id, html`<div class="grid">${template.sizes.map(fieldOf)}</div>`), find('#sizes > div'));
  sizes.hidden = template.sizes.length === 0;
}

async function start(): Promise<void> {
  const { id, sizes: known } = chosen();
  const data = new FormData(form);
  const name = String(data.get('name')).trim();
  const asked = Object.fromEntries(known.map((size) => [size.name, Number(data.get(`size ${size.name}`))]));
  const body = { ...(id && { template: id, sizes: asked }), ...(name && { name }) };
  const made = await call<Draft>('/demo/drafts', body);
  if (made) draw(made);
}

function draw(own: Draft): void {
  draft = own;
  sessionStorage.setItem(kept, JSON.stringify(own));
  form.hidden = true;
  steps.hidden = false;
  designer.hidden = false;
  designer.setAttribute('designer-url', own.designerUrl);
}

async function putOnSale(): Promise<void> {
  if (!draft) return;
  if (!(await designer.save())) {
    show({ message: 'The drawing is not saved yet. Look at the top of the drawing for the reason.' });
    return;
  }
  const { chartId, token } = draft;
  const sold = await call<{ url: string }>(`/demo/drafts/${chartId}/sale`, { token });
  if (sold) location.assign(sold.url);
}

function startAgain(): void {
  draft = null;
  sessionStorage.removeItem(kept);
  find('#why').hidden = true;
  designer.removeAttribute('designer-url');
  designer.hidden = true;
  steps.hidden = true;
  form.hidden = false;
  form.querySelector('input')?.focus();
}

/** The draft of this tab, while its session lasts. */
function keptDraft(): Draft | null {
  const own = JSON.parse(sessionStorage.getItem(kept) ?? 'null') as Draft | null;
  return own && own.expiresAt > Date.now() ? own : null;
}

async function open(): Promise<void> {
  const answer = await fetch('/demo/drafts').catch(() => null);
  if (!answer?.ok) {
    find('#off').hidden = false;
    return;
  }
  templates = ((await answer.json()) as { templates: Template[] }).templates;
  render([...templates, empty].map(choiceOf), find('#templates'));
  askForSizes();
  const own = keptDraft();
  if (own) draw(own);
  else form.hidden = false;
}

form.addEventListener('change', ({ target }) => {
  if ((target as HTMLInputElement).name === 'template') askForSizes();
});
form.addEventListener('submit', (submitted) => {
  submitted.preventDefault();
  void busy(form.querySelector('button')!, start);
});
sell.addEventListener('click', () => void busy(sell, putOnSale));
// The form, and the focus in it, has gone.
designer.addEventListener('parterre-ready', () => designer.focus());
find('#again').addEventListener('click', startAgain);
void open();
