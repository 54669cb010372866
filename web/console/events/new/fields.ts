/** The fields of a new event. They keep what is typed: a new drawing changes no field. */
import { html, type TemplateResult } from 'lit-html';
import { checkField, field, textField } from '../../frame/field.ts';
import type { FaultOf } from '../../frame/refusals.ts';
import type { Words } from '../../messages/words.ts';
import type { Source } from './draft.ts';
import type { SourceChoice } from './source-choice.ts';

const zones = Intl.supportedValuesOf('timeZone');

/** `copied` gives the first values. */
export function eventFields(
  words: Words,
  currency: string,
  copied: Source | null,
  choice: SourceChoice,
  faultAt: FaultOf,
): TemplateResult {
  const { text } = words;
  const { name = '', venue = null, timezone = null } = copied?.meta ?? {};
  const usualName = copied ? text('events.copy.name', { name }) : '';
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return html`<fieldset><legend>${text('events.new.facts')}</legend>
      ${textField({ label: text('events.new.name'), fault: faultAt('name') }, 'name', usualName, true)}
      ${field(
        { label: text('events.new.starts'), hint: text('events.new.starts.hint'), fault: faultAt('startsAt') },
        html`<input type="datetime-local" name="startsAt">`,
      )}
      ${field(
        { label: text('events.new.zone'), hint: text('events.new.zone.hint'), fault: faultAt('timezone') },
        html`<input name="timezone" list="zones" value=${timezone ?? here} autocomplete="off" maxlength="64">
          <datalist id="zones">${zones.map((zone) => html`<option value=${zone}></option>`)}</datalist>`,
      )}
      ${textField({ label: text('events.new.venue'), fault: faultAt('venue') }, 'venue', venue ?? '')}
      ${field(
        { label: text('events.new.slug'), hint: text('events.new.slug.hint'), fault: faultAt('slug') },
        html`<input name="slug" pattern="[a-z0-9_\\-]{3,64}" maxlength="64" autocomplete="off">`,
      )}
    </fieldset>
    <fieldset><legend>${text('events.new.money')}</legend>
      ${field(
        { label: text('events.new.currency'), fault: faultAt('currency') },
        html`<input name="currency" value=${copied?.meta.currency ?? currency} maxlength="3" size="4" autocomplete="off">`,
      )}
      ${choice.prices(copied?.meta.currency ?? currency, faultAt)}
    </fieldset>
    <fieldset><legend>${text('events.new.sold_by')}</legend>
      ${(['platform', 'managed'] as const).map(
        (ownership) => html`<label class="check"><input type="radio" name="ownership" value=${ownership}
          ?checked=${ownership === (copied?.meta.ownership ?? 'platform')}> <span>${text(`events.new.ownership.${ownership}`)}</span></label>`,
      )}
      ${checkField(text('events.new.closed'), 'closed')}
    </fieldset>`;
}
