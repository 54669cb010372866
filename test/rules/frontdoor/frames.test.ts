/** Every frame that the encoders make fits the schema that describes it. */
import { compilePlan } from '@parterre/shared/charts/compile';
import { noScopes } from '@parterre/shared/charts/scopes';
import { decodeKept } from '@parterre/shared/protocol/wire';
import { describe, expect, it } from 'vitest';
import { binaryFrame, frame } from '../../../services/frontdoor/src/api/realtime.ts';
import { encoders } from '../../../services/frontdoor/src/feeds/frames/encoders.ts';
import type { Encoder, Frame, Wire } from '../../../services/frontdoor/src/feeds/frames/frame.ts';
import type { LogEntry } from '../../../services/frontdoor/src/logs/rules/event-log.ts';
import { Changes } from '../../../services/frontdoor/src/pictures/changes.ts';
import { Picture } from '../../../services/frontdoor/src/pictures/picture.ts';
import {
  channelMapOf,
  consoleAudience,
  publicAudience,
  withMoney,
} from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { chart, gaArea, row } from '../../support/charts.ts';

const picture = new Picture();
const plan = compilePlan(chart([row({ seatCount: 4 }), gaArea({ capacity: 3 })]), 'hash');
picture.take(plan, new Uint8Array(plan.unitCount), undefined, noScopes, channelMapOf(undefined));
picture.bookedValue = 120;
const changes = new Changes(picture, 'server', [1, 5]);
const rich = withMoney(consoleAudience);
const entry: LogEntry = { id: 1, at: 2, action: 'hold', labels: ['A-1'], ref: null, actor: null, source: 'server' };

/** A case for every kind of frame: a new kind does not compile without its own. */
const made: { [Kind in keyof Encoder]: (encoder: Encoder) => Frame } = {
  pong: ({ pong }) => pong,
  hidden: ({ hidden }) => hidden({ hidden: ['a'], closed: [] }),
  allocation: ({ allocation }) => allocation(3),
  presence: ({ presence }) => presence({ shoppingSessions: 1, activeHolds: 2 }),
  activity: ({ activity }) => activity([entry]),
  snapshot: ({ snapshot }) => snapshot(picture, 7, publicAudience, false),
  delta: ({ delta }) => delta(picture, 8, rich, changes, true),
};

const read: Record<Wire, (bytes: Frame) => unknown> = {
  text: (text) => JSON.parse(text as string),
  binary: (bytes) => decodeKept(bytes as Uint8Array),
};
const schemas = { text: frame, binary: binaryFrame };

describe.each(['text', 'binary'] as const)('in the %s form', (wire) => {
  it.each(Object.keys(made) as (keyof Encoder)[])('the frame %s fits its schema, field by field', (kind) => {
    const told = read[wire](made[kind](encoders[wire]));
    // The schema drops fields that it does not describe.
    expect(schemas[wire].safeParse(told)).toEqual({ success: true, data: told });
  });

  it('the snapshot of a halted event fits its schema too, and says that it is stale', () => {
    const told = read[wire](encoders[wire].snapshot(picture, 7, publicAudience, true));
    expect(schemas[wire].parse(told)).toEqual(told);
    expect(told).toHaveProperty('stale', true);
  });

  it('a delta tells the booked value to consoles with the right to money alone', () => {
    const told = (audience: typeof rich) =>
      read[wire](encoders[wire].delta(picture, 8, audience, changes, false)) as { bookedValue?: unknown };
    expect(told(rich).bookedValue).toEqual({ gross: 120, priceUnit: 'major' });
    expect(told(consoleAudience).bookedValue).toBeUndefined();
  });
});
