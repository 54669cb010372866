/**
 * The custom properties of the picker's looks: light, and dark where the page's `color-scheme` says so. A host sets
 * `--parterre-<name>` on the element. A page that declares no dark scheme has a light picker.
 */

/** Each colour on light and on dark ground. Texts have a contrast of 4.5:1 on their ground, edges of 3:1. */
const colours = {
  accent: ['#0b57d0', '#8ab4f8'],
  'on-accent': ['#ffffff', '#0b1a33'],
  text: ['#14171f', '#eceef3'],
  muted: ['#596070', '#aab1c0'],
  surface: ['#ffffff', '#1b1e25'],
  ground: ['#f5f6f9', '#121419'],
  line: ['#dfe2e8', '#3a404c'],
  edge: ['#858c99', '#7d8595'],
  danger: ['#b3261e', '#f2938a'],
  'on-danger': ['#ffffff', '#3b0a06'],
  'note-surface': ['#eef3fe', '#162846'],
  'note-line': ['#c6d7fb', '#34548f'],
  'note-text': ['#10264f', '#d6e3ff'],
  'problem-surface': ['#fdf0ee', '#3f1a18'],
  'problem-line': ['#f0c4be', '#86403a'],
  'problem-text': ['#7a1a14', '#ffdad5'],
  'success-surface': ['#e8f5ef', '#0f3025'],
  'success-line': ['#b5dcc9', '#2c6a51'],
  'success-text': ['#0c4a33', '#c6f0dd'],
  'warning-surface': ['#fff6e0', '#372a09'],
  'warning-line': ['#ecd49a', '#7a5d1c'],
  'warning-text': ['#5d4200', '#ffe2a1'],
  'warning-edge': ['#a87300', '#d7a03f'],
} as const;

type Name = keyof typeof colours;

/** More contrast for those who ask for it: quiet texts and thin lines become strong ones. */
const strong: Partial<Record<Name, string>> = {
  muted: 'var(--text)',
  line: 'var(--edge)',
  edge: 'var(--text)',
};

export const colourNames = Object.keys(colours) as Name[];
const declared = (colourOf: (name: Name) => string) =>
  colourNames.map((name) => `--${name}: var(--parterre-${name}, ${colourOf(name)});`).join(' ');

/** A browser without `light-dark()` has the light colours. */
export const tokens = `
.parterre {
  ${declared((name) => colours[name][0])}
  --radius: var(--parterre-radius, 12px);
  --shadow: 0 1px 2px rgb(0 0 0 / .08), 0 4px 16px rgb(0 0 0 / .14);
  --font: var(--parterre-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif);
}
@supports (color: light-dark(#000, #fff)) {
  .parterre { ${declared((name) => `light-dark(${colours[name].join(', ')})`)} }
}
@media (prefers-contrast: more) {
  .parterre { ${Object.entries(strong)
    .map(([name, value]) => `--${name}: var(--parterre-${name}, ${value});`)
    .join(' ')} }
}
`;
