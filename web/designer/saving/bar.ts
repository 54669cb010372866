/** The saving state in the top bar, with the panels that belong to it: offers of drafts, news, conflicts, refusals. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { exportDialog } from '../exporting/export-dialog.ts';
import type { Problem } from '../session/calls.ts';
import { conflictPanel } from './conflict-panel.ts';
import { newsPanel } from './news-panel.ts';
import { publishDialog } from './publish-dialog.ts';
import { type BarHost, issueList, refusalText, timeOf } from './telling.ts';

export function bar(host: BarHost): TemplateResult {
  const { words, session, saving, publisher, exporter, mayPublish, mayExport } = host;
  const { state } = saving;
  const canRetry = state === 'offline' || state === 'refused' || state === 'dirty';
  return html`<div class="saving" data-state=${session.canEdit ? state : 'read-only'}>
    <span class="saving-state" role="status" aria-label=${words.text('save.label')}>${stateText(host)}</span>
    ${canRetry ? html`<button type="button" class="saving-now" @click=${() => void saving.save()}>${words.text('save.now')}</button>` : nothing}
    ${mayExport ? html`<button type="button" class="saving-export" @click=${() => exporter.open()}>${words.text('export.button')}</button>` : nothing}
    ${
      mayPublish
        ? html`<button type="button" class="saving-publish primary" ?disabled=${state === 'ended' || state === 'conflict'} @click=${() => void publisher.open()}>${words.text('publish.button')}</button>`
        : nothing
    }
    <div class="saving-panels">
      ${endingPanel(host)} ${offerPanel(host)} ${refusalPanel(host)}
      ${saving.conflicts.length > 0 ? conflictPanel(host) : nothing}
      <div role="status">${newsPanel(host)}</div>
    </div>
    ${publishDialog(host)} ${exporter.state.step === 'closed' ? nothing : exportDialog(words, exporter)}
  </div>`;
}

function stateText({ words: { text }, session, saving }: BarHost): string {
  if (!session.canEdit) return text('save.readOnly');
  const { state, isKept, conflicts } = saving;
  if (state === 'conflict') return text('save.conflict', { count: conflicts.length });
  if (state === 'offline') return text(isKept ? 'save.offline' : 'save.offlineLost');
  return text(`save.${state}`);
}

function endingPanel({ words, saving, endsAt, session }: BarHost): TemplateResult | typeof nothing {
  const { text } = words;
  if (saving.state === 'ended')
    return html`<section class="saving-panel" role="alert">
      <b>${text('session.ended')}</b>
      <p>${text(session.canEdit ? (saving.isKept ? 'session.endedWhy' : 'session.endedLost') : 'session.endedNoDraft')}</p>
    </section>`;
  if (endsAt === null) return nothing;
  return html`<section class="saving-panel"><p>${text('session.soon', { time: timeOf(words, endsAt) })}</p></section>`;
}

function offerPanel({ words, offers, saving, session }: BarHost): TemplateResult | typeof nothing {
  const draft = offers.next;
  if (draft === null || !session.canEdit || saving.state === 'conflict') return nothing;
  const { text } = words;
  return html`<section class="saving-panel" role="alert" aria-labelledby="saving-offer">
    <b id="saving-offer">${text('draft.title', { time: timeOf(words, draft.at) })}</b>
    <p>${text('draft.why')}</p>
    <p class="saving-choices">
      <button type="button" class="primary" @click=${() => offers.keep(saving)}>${text('draft.keep')}</button>
      <button type="button" @click=${() => void offers.drop()}>${text('draft.drop')}</button>
    </p>
  </section>`;
}

function refusalPanel(host: BarHost): TemplateResult | typeof nothing {
  const { words, saving, focus } = host;
  if (saving.state !== 'refused' || saving.problem === null) return nothing;
  const ids = objectsIn(saving.problem);
  return html`<section class="saving-panel" role="alert">
    <p>${refusalText(words, saving.problem)}</p>
    ${issueList(host, saving.problem)}
    ${ids.length > 0 ? html`<p class="saving-choices"><button type="button" @click=${() => focus(ids)}>${words.text('save.show')}</button></p>` : nothing}
  </section>`;
}

function objectsIn({ issues = [] }: Problem): string[] {
  return [...new Set(issues.flatMap(({ objectId }) => objectId ?? []))];
}
