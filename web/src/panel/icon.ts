/** The shapes of the map as icons. */
import { nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { canDraw } from '../canvas.ts';
import { drawGlyph, type GlyphName } from '../draw/glyphs.ts';

const made = new Map<string, HTMLCanvasElement>();

/** The shape of the map, drawn once however often the panel is drawn. */
export const icon = (name: GlyphName, tint = '#ffffff') => guard([name, tint], () => iconOf(name, tint));

/** A canvas stands in one place only, so each use gets a copy. */
function iconOf(name: GlyphName, tint: string): HTMLCanvasElement | typeof nothing {
  if (!canDraw()) return nothing;
  const key = `${name}${tint}`;
  let drawing = made.get(key);
  if (!drawing) {
    drawing = document.createElement('canvas');
    drawing.width = 64;
    drawing.height = 64;
    drawGlyph(drawing.getContext('2d')!, name, tint);
    made.set(key, drawing);
  }
  const copy = document.createElement('canvas');
  copy.width = 64;
  copy.height = 64;
  copy.className = 'icon';
  copy.setAttribute('part', 'icon');
  copy.setAttribute('aria-hidden', 'true');
  copy.getContext('2d')!.drawImage(drawing, 0, 0);
  return copy;
}
