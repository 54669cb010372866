/**
 * The colours of the map, from the custom properties of the page. Hidden probes resolve every form of a CSS colour. A
 * probe has a transition, so a change of its colour from any cause (a media query, a class of the host's page) is an
 * event. Under forced colours the system's colours count.
 */
import { contrastOf, legibleOn, mixed } from '../rules/palette.ts';

/** Colours are `#rrggbb`. */
export type Theme = {
  ground: string;
  /** Under the seats of a section. */
  floor: string;
  surface: string;
  text: string;
  accent: string;
  /** The outline of sections, areas and tables. */
  edge: string;
  /** Sections and seats that are gone. */
  empty: string;
  /** The signs of seats that are gone. */
  faint: string;
  stage: string;
  font: string;
  contrastMin: number;
};

export type ThemeWatch = { read(): Theme; end(): void };

const properties = {
  ground: ['--ground', '#f7f8fa', 'Canvas'],
  surface: ['--surface', '#ffffff', 'Canvas'],
  text: ['--text', '#14171f', 'CanvasText'],
  muted: ['--muted', '#5a6170', 'CanvasText'],
  accent: ['--accent', '#0b57d0', 'Highlight'],
  floor: ['--parterre-section', 'transparent', 'Canvas'],
  stage: ['--parterre-stage', 'transparent', 'CanvasText'],
} as const;
type Name = keyof typeof properties;
const names = Object.keys(properties) as Name[];

const CONTRAST_MIN = 3;
const CONTRAST_MIN_IF_ASKED = 4.5;

export function watchTheme(host: HTMLElement, changed: () => void): ThemeWatch {
  const [forced, more] = ['(forced-colors: active)', '(prefers-contrast: more)'].map((query) =>
    window.matchMedia(query),
  ) as [MediaQueryList, MediaQueryList];
  const root = host.ownerDocument.createElement('div');
  const probes = Object.fromEntries(names.map((name) => [name, probeIn(root)])) as Record<Name, HTMLElement>;
  const ending = new AbortController();
  const pen = penOfOnePixel();

  /** Under forced colours the system's own names count. */
  function dress(): void {
    for (const name of names) {
      const [property, otherwise, system] = properties[name];
      probes[name].style.color = forced.matches ? system : `var(${property}, ${otherwise})`;
    }
  }

  function read(): Theme {
    const colour = (name: Name) => resolved(pen, getComputedStyle(probes[name]).color);
    const { fontFamily } = getComputedStyle(host);
    return themeOf(colour, fontFamily, forced.matches, more.matches);
  }

  root.style.cssText = 'position:absolute;width:0;height:0;overflow:hidden;visibility:hidden;forced-color-adjust:none';
  dress();
  host.append(root);
  const told = () => {
    dress();
    changed();
  };
  for (const query of [forced, more]) query.addEventListener('change', told, { signal: ending.signal });
  root.addEventListener('transitionend', changed, { signal: ending.signal });
  return {
    read,
    end() {
      ending.abort();
      root.remove();
    },
  };
}

function probeIn(root: HTMLElement): HTMLElement {
  const probe = root.ownerDocument.createElement('i');
  probe.style.transition = 'color 1ms';
  root.append(probe);
  return probe;
}

function penOfOnePixel(): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  return canvas.getContext('2d', { willReadFrequently: true });
}

/** Null for a colour that cannot be seen. */
function resolved(pen: CanvasRenderingContext2D | null, colour: string): string | null {
  if (!pen) return null;
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
  if (alpha === 0) return null;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function themeOf(
  read: (name: Name) => string | null,
  fontFamily: string,
  isForced: boolean,
  wantsMore: boolean,
): Theme {
  const colour = (name: Name, otherwise: string) => read(name) ?? otherwise;
  const surface = colour('surface', '#ffffff');
  const text = colour('text', '#14171f');
  const isDark = contrastOf(surface, '#000000') < contrastOf(surface, '#ffffff');
  const floor = colour('floor', isForced ? surface : mixed(surface, text, 0.06));
  const strong = isForced || wantsMore;
  const contrastMin = strong ? CONTRAST_MIN_IF_ASKED : CONTRAST_MIN;
  return {
    surface,
    text,
    floor,
    contrastMin,
    ground: colour('ground', '#f7f8fa'),
    accent: legibleOn(colour('accent', '#0b57d0'), [floor], contrastMin),
    edge: strong ? text : mixed(surface, text, 0.24),
    empty: mixed(floor, text, 0.12),
    faint: legibleOn(mixed(colour('muted', '#5a6170'), floor, 0.2), [floor], contrastMin),
    stage: colour('stage', isDark ? mixed(surface, text, 0.28) : mixed(text, surface, 0.2)),
    font: fontFamily || 'sans-serif',
  };
}
