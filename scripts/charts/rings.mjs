/** Sections and stages of the generated charts, on the formulas of the templates. */
import { arcOutline, arcRow } from '../../shared/src/charts/templates/arcs.ts';

export { arcOutline, arcRow, polar } from '../../shared/src/charts/templates/arcs.ts';

export const rowLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** One section of curved rows with its outline. `numbering(rowIndex)` gives further fields of a row. */
export function block({ id, label, zone, centre, near, rows, pitch, degrees, sweep, seatCount, categoryKey, extra }) {
  const far = near + (rows - 1) * pitch;
  // The outline must contain the middle of every row, and need not contain every seat. It is a little wider than its
  // rows.
  const outline = arcOutline(centre, near - pitch / 2, far + pitch, degrees, sweep * 1.06);
  const section = { type: 'section', id, label, outline, ...(zone ? { zone } : {}) };
  const seats = Array.from({ length: rows }, (_, index) =>
    arcRow(centre, near + index * pitch, degrees, sweep, {
      id: `${id}-${rowLetters[index]}`,
      label: `${label}-${rowLetters[index]}`,
      seatCount,
      categoryKey,
      ...extra?.(index),
    }),
  );
  return [section, ...seats];
}

export const stageShape = ({ x, y }) => ({
  type: 'shape',
  id: 'stage',
  kind: 'rect',
  label: 'Stage',
  role: 'stage',
  x: x - 200,
  y: y - 60,
  width: 400,
  height: 80,
});
