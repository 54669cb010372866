/** The dialog of a publish: its preview with every event, the faults with their objects, and the answer. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../messages/words.ts';
import type { Preview, PreviewedEvent, Published } from '../session/calls.ts';
import { closeDialog, modal } from './modal.ts';
import type { Publishing } from './publishing.ts';
import { type BarHost, issueList, refusalText } from './telling.ts';

const outcomes = ['refresh', 'needsUpdate', 'current', 'unknown'] as const;

export function publishDialog(host: BarHost): TemplateResult | typeof nothing {
  const { publisher, words } = host;
  const { state } = publisher;
  if (state.step === 'closed') return nothing;
  const { text } = words;
  const isEnded = state.step === 'published' || state.step === 'failed';
  return modal(
    {
      className: 'publish',
      title: text('publish.title'),
      closeText: text(isEnded ? 'save.close' : 'publish.cancel'),
      isHeld: state.step === 'publishing',
      closed: () => publisher.close(),
    },
    html`<div aria-live="polite">${contentOf(host, state)}</div>`,
    state.step === 'previewed' && state.preview.issues.length === 0
      ? html`<button type="button" class="primary" @click=${() => void publisher.confirm()}>${text('publish.confirm')}</button>`
      : nothing,
  );
}

function contentOf(host: BarHost, state: Publishing): TemplateResult | typeof nothing {
  const { words } = host;
  const { text } = words;
  switch (state.step) {
    case 'closed':
      return nothing;
    case 'looking':
      return html`<p>${text('publish.looking')}</p>`;
    case 'publishing':
      return html`<p>${text('publish.working')}</p>`;
    case 'previewed':
      return html`${state.isAnew ? html`<p><b>${text('publish.anew')}</b></p>` : nothing}${previewOf(host, state.preview)}`;
    case 'published':
      return publishedText(words, state.published);
    case 'failed':
      if (state.why === 'not saved') return html`<p>${text('publish.notSaved')}</p>`;
      return html`<p>${refusalText(words, state.why, 'publish.failed')}</p>
        ${issueList(leaving(host), state.why)}`;
  }
}

/** A way to an object closes the dialog first: the map is behind it. */
function leaving({ focus }: BarHost): Pick<BarHost, 'focus'> {
  return {
    focus(ids) {
      closeDialog();
      focus(ids);
    },
  };
}

function previewOf(host: BarHost, { isNew, issues, events, truncated }: Preview): TemplateResult {
  const { words } = host;
  const { text } = words;
  if (issues.length > 0)
    return html`<p>${text('publish.issues', { count: issues.length })}</p>
      ${issueList(leaving(host), { code: 'invalid_chart', issues })}`;
  return html`${host.warnings()}${isNew ? nothing : html`<p>${text('publish.unchanged')}</p>`}
    ${events.length === 0 ? html`<p>${text('publish.noEvents')}</p>` : nothing}
    ${outcomes.map((outcome) => {
      const of = events.filter((event) => event.outcome === outcome);
      if (of.length === 0) return nothing;
      return html`<h3>${text(`publish.${outcome}`, { count: of.length })}</h3>
        <ul class="publish-events">
          ${of.map((event) => eventRow(words, event))}
        </ul>`;
    })}
    ${truncated ? html`<p>${text('publish.more')}</p>` : nothing}`;
}

function eventRow(words: Words, { key, name, mode, reasons, vanishing }: PreviewedEvent): TemplateResult {
  const { text } = words;
  const why = reasons.map((reason) => text(`publish.reason.${reason}`));
  const { count = 0, labels = [], taken = [] } = vanishing ?? {};
  return html`<li>
    <b>${name}</b> <small>${key} · ${text(`publish.${mode}`)}</small>
    ${why.length > 0 ? html`<p>${words.list(why)}</p>` : nothing}
    ${count > 0 ? html`<p>${text('publish.vanishing', { count, labels: words.list(labels) })}</p>` : nothing}
    ${taken.length > 0 ? html`<p class="publish-taken">${text('publish.taken', { count: taken.length, labels: words.list(taken) })}</p>` : nothing}
  </li>`;
}

function publishedText({ text }: Words, { meta, events }: Published): TemplateResult {
  const { refreshed, needsUpdate } = events;
  return html`<p>${text('publish.done', { version: meta.publishedVersion ?? 0 })}</p>
    ${refreshed.length > 0 ? html`<p>${text('publish.refresh', { count: refreshed.length })}</p>` : nothing}
    ${needsUpdate.length > 0 ? html`<p>${text('publish.needsUpdate', { count: needsUpdate.length })}: ${needsUpdate.join(', ')}</p>` : nothing}`;
}
