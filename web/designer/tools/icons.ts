/** The pictures of tools and commands: lines on a field of 20 units, in the colour of the text. */
import { html, type TemplateResult } from 'lit-html';

const paths = {
  select: 'M4 3l12 6-5.2 1.6L8.6 16z',
  pan: 'M7 10V5a1.3 1.3 0 012.6 0v4m0-5a1.3 1.3 0 012.6 0v5m0-4a1.3 1.3 0 012.6 0v6c0 3.5-2 6-5.2 6-2.6 0-3.8-1.2-5-3.3L3.4 11.8c-.6-1.1.9-2.1 1.8-1.1L7 12.5',
  seat: 'M10 6.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7z',
  row: 'M3.5 10h.01M7.8 10h.01M12.2 10h.01M16.5 10h.01',
  curve: 'M3.5 13.5h.01M6.6 8.3h.01M10 6.5h.01M13.4 8.3h.01M16.5 13.5h.01',
  path: 'M3 14h.01M6.5 12.5h.01M9 9.5h.01M11.5 7h.01M15 6h.01',
  block:
    'M4 5h.01M8 5h.01M12 5h.01M16 5h.01M4 10h.01M8 10h.01M12 10h.01M16 10h.01M4 15h.01M8 15h.01M12 15h.01M16 15h.01',
  focal: 'M10 5.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10 2v4M10 14v4M2 10h4M14 10h4',
  seats: 'M3.5 3.5h3M10 3.5h3M16.5 3.5v3M16.5 10v3M3.5 6.5v3M3.5 13v3.5h3M10 16.5h3M10 10h.01',
  lasso:
    'M10 4c4 0 6.5 1.8 6.5 4.3S14 12.6 10 12.6 3.5 10.8 3.5 8.3 6 4 10 4zM6.3 12c-1.6 1-1.4 2.8.6 3 1.5.2 1.7 1 1 2',
  aisle: 'M3.5 5h.01M6.5 10h.01M3.5 15h.01M13.5 5h3M13.5 10h3M13.5 15h3M10 2.5v15',
  section: 'M3.5 5h13v10h-13z',
  outline: 'M4 6l6-2.5 6.5 4L14 16l-9-1z',
  round:
    'M10 7a3 3 0 100 6 3 3 0 000-6zM10 3.2h.01M10 16.8h.01M3.2 10h.01M16.8 10h.01M5.2 5.2h.01M14.8 5.2h.01M5.2 14.8h.01M14.8 14.8h.01',
  rect: 'M5 8h10v4H5zM6.5 4.5h.01M10 4.5h.01M13.5 4.5h.01M6.5 15.5h.01M10 15.5h.01M13.5 15.5h.01',
  booth: 'M5 5h10v10H5zM5 9h10',
  area: 'M4 5h12v10H4zM7 13l6-6M5 11l4-5M11 14l4-5',
  polygon: 'M3.5 8L10 3.5 16.5 8 14 16H6zM8 13l5-6',
  hole: 'M3.5 4h13v12h-13zM8 8h4v4H8z',
  text: 'M5 5h10M10 5v10.5',
  shape: 'M3.5 4h6v6h-6zM13 10a3.5 3.5 0 100 7 3.5 3.5 0 000-7z',
  ellipse: 'M10 5.5c3.8 0 6.5 2 6.5 4.5s-2.7 4.5-6.5 4.5S3.5 12.5 3.5 10 6.2 5.5 10 5.5z',
  image: 'M3.5 4.5h13v11h-13zM3.5 13l4-4 3.5 3.5 2-2 3.5 3M13 7.5h.01',
  paint: 'M12.5 3.5l4 4-7 7H5.5v-4zM3 17h14',
  undo: 'M7 4L3.5 7.5 7 11M4 7.5h7.5a4.3 4.3 0 010 8.5H8',
  redo: 'M13 4l3.5 3.5L13 11M16 7.5H8.5a4.3 4.3 0 000 8.5H12',
  duplicate: 'M7 7h9v9H7zM4 13V4h9',
  delete: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
  alignLeft: 'M4 3v14M7 6h9M7 12.5h5',
  alignCentre: 'M10 3v14M4 6h12M6.5 12.5h7',
  alignRight: 'M16 3v14M4 6h9M8 12.5h5',
  alignTop: 'M3 4h14M6 7v9M12.5 7v5',
  alignMiddle: 'M3 10h14M6 4v12M12.5 6.5v7',
  alignBottom: 'M3 16h14M6 4v9M12.5 8v5',
  distributeAcross: 'M3 3v14M17 3v14M8 6h4v8H8z',
  distributeDown: 'M3 3h14M3 17h14M6 8h8v4H6z',
  mirrorAcross: 'M10 3v14M7.5 6L3 14h4.5zM12.5 6L17 14h-4.5z',
  mirrorDown: 'M3 10h14M6 7.5L14 3v4.5zM6 12.5L14 17v-4.5z',
  rotate: 'M15.5 10a5.5 5.5 0 11-2-4.2M14 2.5v3.7h-3.7',
  front: 'M4 4h8v8H4zM12 8h4v8H8v-4',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  list: 'M4 5.5h.01M8 5.5h8M4 10h.01M8 10h8M4 14.5h.01M8 14.5h8',
  help: 'M7.5 7.5a2.5 2.5 0 114 2c-1 .7-1.5 1.2-1.5 2.5M10 15h.01',
  grid: 'M3.5 3.5h13v13h-13zM8 3.5v13M12.5 3.5v13M3.5 8h13M3.5 12.5h13',
  magnet: 'M5 4v6a5 5 0 0010 0V4M5 7h3M12 7h3M8 4v6a2 2 0 004 0V4',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  fit: 'M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4',
} as const;

export type IconName = keyof typeof paths;

/** Dots are lines of no length with round ends. */
const dotted = new Set<string>(['row', 'curve', 'path', 'block', 'more']);

export function icon(name: IconName): TemplateResult {
  return html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width=${dotted.has(name) ? 3 : 1.6}><path d=${paths[name]}></path></svg>`;
}
