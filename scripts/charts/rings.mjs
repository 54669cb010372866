/**
 * The shapes of halls: curved rows, the sections around them, a stage. Angles in degrees, 0 points right, clockwise.
 */

export const rowLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Hundredths of a unit are finer than any screen, and keep the documents small. */
const round = (value) => Math.round(value * 100) / 100 + 0;
const sine = (degrees) => Math.sin((degrees * Math.PI) / 180);
const cosine = (degrees) => Math.cos((degrees * Math.PI) / 180);

/** The point `radius` away from `centre`; 0° points right, 90° down. */
export function polar(centre, radius, degrees) {
  return { x: round(centre.x + radius * cosine(degrees)), y: round(centre.y + radius * sine(degrees)) };
}

/**
 * A curved row facing `centre`, its middle at `degrees`, seen from the audience left to right. The centre of a row's
 * circle lies above its first seat, so the row is turned by this seat's angle minus 90°.
 */
export function arcRow(centre, radius, degrees, sweep, row) {
  const first = degrees + sweep / 2;
  return {
    type: 'row',
    ...row,
    origin: polar(centre, radius, first),
    rotation: round(first - 90),
    curve: sweep,
    seatSpacing: round(2 * radius * sine(sweep / (row.seatCount - 1) / 2)),
  };
}

/** A ring's segment as an outline: along the far arc, and back along the near arc. */
export function arcOutline(centre, near, far, degrees, sweep) {
  const bearings = [-0.5, -0.25, 0, 0.25, 0.5].map((part) => degrees + part * sweep);
  return [
    ...bearings.map((bearing) => polar(centre, far, bearing)),
    ...bearings.reverse().map((bearing) => polar(centre, near, bearing)),
  ];
}

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
