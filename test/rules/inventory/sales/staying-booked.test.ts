/** Refusals of booked units that stay true while the event only sells. */
import type { Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayChangeRefusals, staysTrue } from '../../../../services/inventory-shard/src/rules/sales/sales.ts';
import { block, book, buyer, callId, direct, hold, house, list, server } from '../../../support/inventory/house.ts';
import { lock, offerHere } from '../../../support/operations/one-event.ts';

function sold(...prepared: Command[]) {
  const event = house();
  for (const command of [direct('r1', 'A-1'), ...prepared]) event.ok(command);
  return event;
}
const stays = (event: ReturnType<typeof house>, ...labels: string[]): boolean =>
  staysTrue(event.state, event.refused(hold('h9', ...labels)));

describe('A refusal', () => {
  test('of one booked unit stays', () => {
    expect(stays(sold(), 'A-1')).toBe(true);
  });

  test('of a held or blocked unit, of several units, and for other reasons does not', () => {
    const event = sold(hold('h1', 'A-2'), block('A-3'), direct('r2', 'B-1'));
    for (const labels of [['A-2'], ['A-3'], ['A-1', 'B-1'], ['Z-9']])
      expect(stays(event, ...labels), labels[0]).toBe(false);
  });

  test('of a held unit does not, although the unit is booked by now', () => {
    const event = sold(hold('h1', 'A-2'));
    const refusal = event.refused(hold('h2', 'A-2'));
    event.ok(book('h1', 'r2'));
    expect(staysTrue(event.state, refusal)).toBe(false);
  });

  test('of a listed unit, and of an event with ticket releases or divisions, does not', () => {
    const listed = sold();
    const refusal = listed.refused(hold('h1', 'A-1'));
    listed.ok(list('l1', 'r1', 'A-1'));
    expect(staysTrue(listed.state, refusal)).toBe(false);
    const release = { id: 'early', name: 'Early', action: 'buy', isNew: true, startsAt: null, endsAt: null } as const;
    const more = { quota: 9, priority: 1, categoryKeys: [], prices: [] };
    const early = { ...release, ...more } as unknown as (Command & { type: 'set-releases' })['releases'][number];
    const released = sold({ type: 'set-releases', callId: callId(), releases: [early] });
    expect(staysTrue(released.state, refusal)).toBe(false);
    const divided = sold();
    divided.state.divisions = { ...divided.state.divisions, byObject: new Uint8Array(9) };
    expect(staysTrue(divided.state, refusal)).toBe(false);
  });
});

/** Commands of a sale on few units, of which many succeed. */
const label = fc.constantFrom('A-1', 'A-2', 'A-3', 'B-1');
const name = fc.constantFrom('1', '2', '3');
const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(name, label).map(([n, of]) => hold(`h${n}`, of)),
  name.map((n) => book(`h${n}`, `r${n}`)),
  name.map((n): Command => ({ type: 'release', holdId: `h${n}`, callId: callId() })),
  fc.tuple(name, label).map(([n, of]) => direct(`r${n}`, of)),
  label.map((of) => block(of)),
  fc.constant<Command>({ type: 'unblock', callId: callId(), labels: null }),
  fc.constant<Command>({ type: 'hold-best', holdId: 'best', query: { qty: 1 } }),
  name.map((n): Command => ({ type: 'unbook', bookingRef: `r${n}`, callId: callId() })),
  fc.tuple(name, label).map(([n, of]) => offerHere(`sro_${n}`).reserve(of)),
  name.map((n) => offerHere(`sro_${n}`).unreserve),
  name.map((n) => offerHere(`sro_${n}`).book),
);

test('No command but those that may change refusals, and no time, changes a refusal that stays', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(commands, fc.nat(700_000)), { maxLength: 30 }), (steps) => {
      const event = sold(lock);
      for (const [command, ms] of steps) {
        const refusals = [server, buyer].map((caller) => event.refused(hold('new', 'A-1'), caller));
        event.pass(ms);
        event.tries(command);
        if (mayChangeRefusals(command.type)) event.tries(direct('r1', 'A-1'));
        else
          for (const [i, caller] of [server, buyer].entries())
            expect(event.refused(hold('new', 'A-1'), caller)).toEqual(refusals[i]);
        if (event.tries(hold('new', 'A-1'))) return;
      }
    }),
  );
});
