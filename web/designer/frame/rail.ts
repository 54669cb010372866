/** The bar of tools at the left of the map, with the tools that the session allows, and the sizes of what they draw. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../tools/icons.ts';
import { limits, type NumberSetting } from '../tools/settings.ts';
import type { Tool, ToolName } from '../tools/tool.ts';
import { pictureFile } from './picture-file.ts';
import type { Bench } from './workbench.ts';

export function rail(bench: Bench): TemplateResult {
  const { text } = bench.words();
  return html`<div class="rail" role="toolbar" aria-orientation="vertical" aria-label=${text('draw.tools')} @keydown=${walkAlong}>
    ${bench.toolGroups.map((group) => html`<div class="group">${group.map((tool) => button(bench, tool))}</div>`)}
  </div>`;
}

function button(bench: Bench, tool: Tool): TemplateResult {
  const name = bench.words().text(`draw.tool.${tool.name}`);
  const isOn = bench.tool === tool;
  const key = tool.key.toUpperCase();
  return html`<button
    type="button"
    data-tool=${tool.name}
    aria-label=${name}
    aria-pressed=${isOn}
    aria-keyshortcuts=${key}
    title="${name} (${key})"
    tabindex=${isOn ? 0 : -1}
    @click=${() => bench.use(tool.name)}
  >${icon(tool.icon)}</button>`;
}

/** One stop of the tab key; arrows go on from it. */
function walkAlong(event: KeyboardEvent): void {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowRight: 1,
    ArrowUp: -1,
    ArrowLeft: -1,
    Home: -Infinity,
    End: Infinity,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement) + step;
  buttons[Math.min(Math.max(at, 0), buttons.length - 1)]!.focus();
  event.preventDefault();
}

const fields: Partial<Record<ToolName, readonly NumberSetting[]>> = {
  row: ['seatSpacing'],
  curve: ['seatSpacing'],
  path: ['seatSpacing'],
  block: ['seatSpacing', 'rowSpacing', 'stagger', 'aisleEvery', 'aisleWidth', 'radius'],
  aisle: ['aisleWidth'],
  round: ['chairs'],
  rect: ['chairs'],
  area: ['capacity'],
  polygon: ['capacity'],
};
const sellers: ReadonlySet<ToolName> = new Set([
  'seat',
  'row',
  'curve',
  'path',
  'block',
  'round',
  'rect',
  'booth',
  'area',
  'polygon',
]);

/** Beside the map's upper edge: the use of the tool in a sentence, and its sizes. */
export function toolOptions(bench: Bench): TemplateResult | typeof nothing {
  const { tool, settings, editor } = bench;
  const { text } = bench.words();
  if (tool.name === 'select') return nothing;
  return html`<div class="options" role="group" aria-label=${text(`draw.tool.${tool.name}`)}>
    <p>${text(`draw.help.${tool.name}`)}</p>
    ${(fields[tool.name] ?? []).map((name) => numberField(bench, name))}
    ${tool.name === 'block' ? evenField(bench) : nothing}
    ${
      sellers.has(tool.name) && editor.document.categories.length > 1
        ? html`<label>${text('draw.setting.category')}
          <select @change=${(event: Event) => (settings.categoryKey = (event.target as HTMLSelectElement).value)}>
            ${editor.document.categories.map(({ key, label }) => html`<option value=${key} ?selected=${key === settings.categoryKey}>${label}</option>`)}
          </select></label>`
        : nothing
    }
    ${tool.name === 'round' || tool.name === 'rect' ? textField(bench, 'tableName') : nothing}
    ${tool.name === 'text' ? textField(bench, 'text') : nothing}
    ${tool.name === 'image' ? [textField(bench, 'address'), fileField(bench)] : nothing}
  </div>`;
}

/** A size within its limits. A value that is none leaves the size as it was. */
export function numberField(bench: Bench, name: NumberSetting): TemplateResult {
  const { settings, words } = bench;
  const { min, max, isWhole = false } = limits[name];
  const set = ({ target }: Event): void => {
    const field = target as HTMLInputElement;
    const value = Number(field.value);
    const kept = Math.min(Math.max(isWhole ? Math.round(value) : value, min), max);
    if (Number.isFinite(value) && field.value !== '') settings[name] = kept;
    field.value = String(settings[name]);
    bench.redraw();
  };
  return html`<label>${words().text(`draw.setting.${name}`)}
    <input type="number" min=${min} max=${max} step=${isWhole ? 1 : 'any'} .value=${String(settings[name])} @change=${set}></label>`;
}

function evenField(bench: Bench): TemplateResult {
  const { settings, words } = bench;
  const set = ({ target }: Event): void => {
    settings.keepsEven = (target as HTMLInputElement).checked;
    bench.redraw();
  };
  return html`<label>${words().text('draw.setting.keepsEven')}
    <input type="checkbox" .checked=${settings.keepsEven} @change=${set}></label>`;
}

function textField({ settings, words }: Bench, name: 'text' | 'address' | 'tableName'): TemplateResult {
  const set = ({ target }: Event): void => {
    settings[name] = (target as HTMLInputElement).value;
  };
  return html`<label>${words().text(`draw.setting.${name}`)}
    <input type="text" placeholder=${name === 'tableName' ? words().text('draw.label.table').trim() : nothing} .value=${settings[name]} @input=${set}></label>`;
}

function fileField(bench: Bench): TemplateResult {
  return pictureFile(bench, (address) => {
    bench.settings.address = address;
    bench.redraw();
  });
}
