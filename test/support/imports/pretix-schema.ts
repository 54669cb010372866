/**
 * What pretix demands of a seating plan, written for these tests: pretix checks uploaded plans against a JSON schema
 * that allows no further fields, and wants integers for the plan's size, radii of seats and circles, and sizes of texts
 * and boxes.
 */
const integer = { type: 'integer' };
const text = { type: 'string' };
const exact = (properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const all = (properties: Record<string, object>) => exact(properties, Object.keys(properties));
const list = (items: object) => ({ type: 'array', items });

const position = all({ x: { type: 'number' }, y: { type: 'number' } });

const seat = exact(
  {
    seat_guid: text,
    seat_number: text,
    position,
    category: text,
    uuid: text,
    radius: integer,
    start_direction: { type: ['string', 'null'] },
  },
  ['seat_guid', 'seat_number', 'position', 'category'],
);

const row = exact(
  {
    row_number: text,
    seats: list(seat),
    position,
    uuid: text,
    row_label: { type: ['string', 'null'] },
    seat_label: { type: ['string', 'null'] },
    row_number_position: { enum: ['start', 'end', 'both', null] },
  },
  ['row_number', 'seats'],
);

const area = exact({
  color: text,
  border_color: text,
  rotation: { type: 'number' },
  position,
  uuid: text,
  shape: { enum: ['polygon', 'rectangle', 'ellipse', 'circle', 'text'] },
  polygon: all({ points: list(position) }),
  rectangle: all({ width: integer, height: integer }),
  ellipse: all({ radius: position }),
  circle: all({ radius: integer }),
  text: exact({ text, position, color: text, size: integer }, ['text', 'position']),
});

const zone = exact({ name: text, zone_id: text, uuid: text, position, rows: list(row), areas: list(area) }, [
  'position',
  'rows',
]);

export const pretixPlan = all({
  name: text,
  zones: list(zone),
  categories: list(exact({ name: text, color: text }, ['name'])),
  size: all({ width: integer, height: integer }),
});
