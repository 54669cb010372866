/** The shares of tenants in the places for commands in flight, on random floods. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Tenant, Tenants } from '../../../services/frontdoor/src/shards/tenants.ts';

const PLACES = 400;

/** Takes places for one tenant until it is refused. */
function flood(tenants: Tenants, organisationId: string): Tenant[] {
  const taken: Tenant[] = [];
  for (let tenant = tenants.enter(organisationId); tenant; tenant = tenants.enter(organisationId)) taken.push(tenant);
  return taken;
}

it('a lone tenant takes half of the places, and is then refused', () => {
  const tenants = new Tenants(PLACES);
  expect(flood(tenants, 'org_1')).toHaveLength(PLACES / 2);
  expect(tenants.refused).toBe(1);
});

it('a place that a tenant leaves can be taken again', () => {
  const tenants = new Tenants(PLACES);
  const [first] = flood(tenants, 'org_1');
  tenants.leave(first!);
  expect(tenants.enter('org_1')).not.toBeNull();
  expect(tenants.enter('org_1')).toBeNull();
});

it('a command past the share takes a place, too', () => {
  const tenants = new Tenants(PLACES);
  flood(tenants, 'org_1');
  tenants.enterPastShare('org_1');
  expect(flood(tenants, 'org_2')).toHaveLength(Math.ceil((PLACES / 2 - 1) / 2));
});

it('a thousand idle tenants are forgotten, and no waiting tenant', () => {
  const tenants = new Tenants(PLACES);
  const waiting = flood(tenants, 'org_waiting');
  for (let i = 0; i < 5_000; i++) tenants.leave(tenants.enter(`org_${i}`)!);
  expect(tenants.enter('org_waiting')).toBeNull();
  for (const tenant of waiting) tenants.leave(tenant);
  expect(flood(tenants, 'org_waiting')).toHaveLength(PLACES / 2);
});

/** Each step: which tenant asks or leaves, and which of its commands leaves. */
const steps = fc.array(
  fc.record({ who: fc.nat({ max: 7 }), times: fc.integer({ min: 1, max: 60 }), leaves: fc.boolean() }),
  { maxLength: 120 },
);

describe('on random floods', () => {
  it('the places suffice, and a tenant with fewer commands than free places is never refused', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const tenants = new Tenants(PLACES);
        const taken = new Map<number, Tenant[]>();
        const total = () => [...taken.values()].reduce((sum, { length }) => sum + length, 0);
        for (const { who, times, leaves } of all) {
          const own = taken.get(who) ?? [];
          taken.set(who, own);
          for (let i = 0; i < times; i++) {
            if (leaves) {
              const tenant = own.pop();
              if (tenant) tenants.leave(tenant);
              continue;
            }
            const free = PLACES - total();
            const tenant = tenants.enter(`org_${who}`);
            expect(tenant !== null).toBe(own.length < free);
            if (tenant) own.push(tenant);
          }
          expect(total()).toBeLessThanOrEqual(PLACES);
          // Eight tenants cannot take the last place, so the ninth is admitted.
          const newcomer = tenants.enter('org_new');
          expect(newcomer).not.toBeNull();
          tenants.leave(newcomer!);
        }
      }),
    );
  });

  it('tenants that ask all the time come to equal shares, and one more share stays free', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.infiniteStream(fc.nat()), (count, random) => {
        const places = 60;
        const tenants = new Tenants(places);
        // The first tenant has all it may have before the others come.
        const taken = Array.from({ length: count }, (_, who) => flood(tenants, `org_${who}`));
        for (let i = 0; i < 40 * places; i++) {
          const held = taken.flatMap((own, who) => own.map(() => who));
          const leaving = held[random.next().value! % held.length]!;
          tenants.leave(taken[leaving]!.pop()!);
          const first = random.next().value! % count;
          for (let next = 0; next < count; next++) {
            const who = (first + next) % count;
            const tenant = tenants.enter(`org_${who}`);
            if (tenant) taken[who]!.push(tenant);
          }
        }
        const share = places / (count + 1);
        for (const own of taken) expect(Math.abs(own.length - share)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 10 },
    );
  });
});
