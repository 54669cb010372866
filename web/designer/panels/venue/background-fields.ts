/**
 * The pictures to trace: one under all floors, and one of each floor. A picture comes by its address or from a file,
 * and first lies around what is drawn already, in its own proportions. It keeps them when it gets another size.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import {
  type Background,
  backgroundOf,
  placedIn,
  proportioned,
  resized,
  setBackground,
} from '../../edits/background.ts';
import { pictureFile } from '../../frame/picture-file.ts';
import { withField } from '../../painting/overrides.ts';
import { applied, isReadOnly, type Panel } from '../host.ts';

/** A floor by its index; null for the whole chart. */
type Owner = number | null;

export function backgrounds(panel: Panel): TemplateResult {
  const { editor, words } = panel;
  const { text } = words();
  const floor = editor.document.floors?.[editor.floor];
  if (!floor) return background(panel, null, text('chart.background'));
  return html`${background(panel, editor.floor, text('chart.backgroundOf', { name: floor.name }))}
    ${background(panel, null, text('chart.backgroundOfAll'))}`;
}

function background(panel: Panel, owner: Owner, title: string): TemplateResult {
  const { fields, words, editor } = panel;
  const { text } = words();
  const picture = backgroundOf(editor.document, owner);
  const id = owner === null ? 'background' : 'background-floor';
  const url = picture?.url ?? '';
  const isInside = url.startsWith('data:');
  return html`<fieldset><legend>${title}</legend>
    ${fields.text({
      id: `${id}-url`,
      label: text('chart.backgroundUrl'),
      value: isInside ? '' : url,
      hint: text(isInside ? 'chart.backgroundInside' : 'chart.background.hint'),
      check: (to) => (to === '' || isPictureAddress(to) ? null : { key: 'chart.backgroundBad' }),
      change: (to) => (to === '' ? put(panel, owner, null) : take(panel, owner, to)),
    })}
    ${isReadOnly(panel) ? nothing : pictureFile(panel, (address) => take(panel, owner, address))}
    ${picture ? placing(panel, id, owner, picture) : nothing}
  </fieldset>`;
}

/** Other schemes would be mixed content, or no picture. */
function isPictureAddress(text: string): boolean {
  return /^(https:\/\/[^/]|data:image\/)/i.test(text) && URL.canParse(text);
}

function put(panel: Panel, owner: Owner, to: Background | null, gesture: string | null = null): string | null {
  return applied(panel, setBackground(owner, to), 'did.background', gesture);
}

let takes = 0;

/** A picture that is exchanged keeps its place and its width. The size of a new one is known when it has come. */
function take(panel: Panel, owner: Owner, url: string): string | null {
  const { editor, words, notice, extent } = panel;
  const before = backgroundOf(editor.document, owner);
  const gesture = `background-${++takes}`;
  const refusal = put(panel, owner, { x: 0, y: 0, ...before, url }, gesture);
  if (refusal !== null) return refusal;
  const image = new Image();
  image.onload = () => {
    const now = backgroundOf(editor.document, owner);
    if (now?.url !== url) return;
    const natural = { width: image.naturalWidth, height: image.naturalHeight };
    put(panel, owner, before ? proportioned(now, natural) : placedIn(now, natural, extent()), gesture);
  };
  image.onerror = () => notice(words().text('chart.backgroundLost'));
  image.src = url;
  return null;
}

function placing(panel: Panel, id: string, owner: Owner, picture: Background): TemplateResult {
  const { fields, words } = panel;
  const { text } = words();
  const change = (name: keyof Background) => (to: number | null) =>
    put(panel, owner, withField(picture, name as string, to ?? undefined));
  const position = (name: 'x' | 'y') =>
    fields.number({
      id: `${id}-${name}`,
      label: text(`field.${name}`),
      value: picture[name],
      change: change(name),
    });
  const size = (name: 'width' | 'height') =>
    fields.number({
      id: `${id}-${name}`,
      label: text(`field.${name}`),
      value: picture[name] ?? null,
      min: 1,
      max: 1_000_000,
      change: (to) => put(panel, owner, resized(picture, name, to!)),
    });
  const hasSize = picture.width !== undefined && picture.height !== undefined;
  return html`<div class="pair">${position('x')}${position('y')}
    ${hasSize ? [size('width'), size('height')] : nothing}
    ${
      hasSize
        ? nothing
        : fields.number({
            id: `${id}-scale`,
            label: text('field.scale'),
            value: picture.scale ?? null,
            otherwise: 1,
            step: 0.1,
            min: 0.001,
            max: 1_000,
            isOptional: true,
            change: change('scale'),
          })
    }
    ${fields.number({
      id: `${id}-rotation`,
      label: text('field.rotation'),
      value: picture.rotation ?? null,
      otherwise: 0,
      min: -3_600,
      max: 3_600,
      isOptional: true,
      change: change('rotation'),
    })}
    ${fields.number({
      id: `${id}-opacity`,
      label: text('field.opacity'),
      value: picture.opacity ?? null,
      otherwise: 1,
      step: 0.1,
      min: 0,
      max: 1,
      isOptional: true,
      change: change('opacity'),
    })}</div>
  ${isReadOnly(panel) ? nothing : html`<div class="actions"><button type="button" @click=${() => put(panel, owner, null)}>${text('chart.backgroundOff')}</button></div>`}`;
}
