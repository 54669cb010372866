/** The parts of the venue: its floors and its zones, each with its name, its place in the list and its focal point. */
import type { Floor, Zone } from '@parterre/shared/charts/document';
import { html, nothing, type TemplateResult } from 'lit-html';
import { freshId, objectsOn } from '../../document/objects.ts';
import { addFloor, changeFloor, moveFloor, removeFloor } from '../../edits/floors.ts';
import { addZone, changeZone, removeZone } from '../../edits/zones.ts';
import { withField } from '../../painting/overrides.ts';
import { applied, type Panel } from '../host.ts';
import { focalFields } from './chart-panel.ts';

export function placesPanel(panel: Panel): TemplateResult {
  const { editor, words } = panel;
  const { text } = words();
  const { floors = [], zones = [] } = editor.document;
  return html`
    ${
      editor.may.has('floors')
        ? html`<h3>${text('floors.title')}</h3>
          ${floors.length === 0 ? html`<p class="note">${text('floors.none')}</p>` : nothing}
          <ol class="forms">${floors.map((floor, at) => html`<li class="form">${floorForm(panel, floor, at)}</li>`)}</ol>
          <div class="actions"><button type="button" @click=${() => addOneFloor(panel)}>${text('floor.add')}</button></div>`
        : nothing
    }
    ${
      editor.may.has('zones')
        ? html`<h3>${text('zones.title')}</h3>
          <p class="note">${text('zones.hint')}</p>
          <ol class="forms">${zones.map((zone, at) => html`<li class="form">${zoneForm(panel, zone, at)}</li>`)}</ol>
          <div class="actions"><button type="button" @click=${() => addOneZone(panel)}>${text('zone.add')}</button></div>`
        : nothing
    }`;
}

function addOneFloor(panel: Panel): void {
  const { editor, words } = panel;
  const { text } = words();
  const number = Math.max(editor.document.floors?.length ?? 0, 1) + 1;
  const refusal = applied(
    panel,
    addFloor(text('floor.new', { number }), text('floor.new', { number: 1 })),
    'did.floors',
  );
  if (refusal === null) editor.showFloor(number - 1);
}

function floorForm(panel: Panel, floor: Floor, at: number): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const id = `floor-${at}`;
  const change = (to: (floor: Floor) => Floor) => applied(panel, changeFloor(at, to), 'did.floors');
  const move = (to: number) => applied(panel, moveFloor(at, to), 'did.floors');
  const last = editor.document.floors!.length - 1;
  const count = objectsOn(editor.document, at).length;
  /** The objects of a floor go to a neighbour; a venue on one level has no floors. */
  const heir = at > 0 ? at - 1 : last > 0 ? 1 : null;
  return html`
    ${fields.text({
      id: `${id}-name`,
      label: text('chart.name'),
      value: floor.name,
      hint: text('floor.objects', { count }),
      check: (to) => (to.trim() === '' ? { key: 'field.needsText' } : null),
      change: (to) => change((before) => withField(before, 'name', to)),
    })}
    ${focalFields(panel, id, floor.focalPoint, (to) => change((before) => withField(before, 'focalPoint', to)), { floor: at })}
    <div class="actions">
      <button type="button" aria-pressed=${editor.floor === at} @click=${() => editor.showFloor(at)}>${text('floor.show')}</button>
      <button type="button" ?disabled=${at === 0} @click=${() => move(at - 1)}>${text('list.up')}</button>
      <button type="button" ?disabled=${at === last} @click=${() => move(at + 1)}>${text('list.down')}</button>
      <button type="button" @click=${() => applied(panel, removeFloor(at, heir), 'did.floors')}>${text('floor.remove')}</button>
    </div>
    ${count > 0 && heir !== null ? html`<p class="note">${text('floor.heir', { name: editor.document.floors![heir]!.name })}</p>` : nothing}`;
}

function addOneZone(panel: Panel): void {
  const { editor, words } = panel;
  const number = (editor.document.zones?.length ?? 0) + 1;
  const zone = { id: freshId(editor.document, 'zone'), label: words().text('zone.new', { number }) };
  applied(panel, addZone(zone), 'did.zones');
}

function zoneForm(panel: Panel, zone: Zone, at: number): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const id = `zone-${at}`;
  const change = (to: (zone: Zone) => Zone) => applied(panel, changeZone(zone.id, to), 'did.zones');
  return html`
    ${fields.text({
      id: `${id}-label`,
      label: text('chart.name'),
      value: zone.label,
      check: (to) => (to.trim() === '' ? { key: 'field.needsText' } : null),
      change: (to) => change((before) => withField(before, 'label', to)),
    })}
    ${fields.colour({
      id: `${id}-colour`,
      label: text('field.colour'),
      value: zone.color ?? '',
      change: (to) => change((before) => withField(before, 'color', to || undefined)),
    })}
    ${
      zone.focalPoint
        ? focalFields(panel, id, zone.focalPoint, (to) => change((before) => withField(before, 'focalPoint', to)), {
            zone: zone.id,
          })
        : nothing
    }
    <div class="actions">
      <button type="button" @click=${() =>
        change((before) =>
          withField(before, 'focalPoint', zone.focalPoint ? undefined : { ...editor.document.focalPoint }),
        )}>${text(zone.focalPoint ? 'zone.focalOff' : 'zone.focalOn')}</button>
      <button type="button" @click=${() => applied(panel, removeZone(zone.id, null), 'did.zones')}>${text('zone.remove')}</button>
    </div>`;
}
