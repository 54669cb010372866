/** Calls with many labels through the whole admission: their budget, and their turns. */
import { done } from '@parterre/shared/protocol/errors';
import { labelsUncountedMax, largeTurnsOfTenantMax, requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { BudgetUses } from '../../../services/frontdoor/src/admission/budget-uses.ts';
import { RefusedRequests } from '../../../services/frontdoor/src/admission/budgets.ts';
import { createLargeLimiter } from '../../../services/frontdoor/src/admission/large-bodies.ts';
import { submit } from '../../../services/frontdoor/src/admission/submit.ts';
import type { Answer } from '../../../services/frontdoor/src/answers/answers.ts';
import { inventoryRoutes } from '../../../services/frontdoor/src/api/inventory.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const route = inventoryRoutes.find(({ path }) => path.endsWith('/block'))!;
const many = Array.from({ length: labelsUncountedMax + 1 }, (_, n) => `A-${n}`);

function door() {
  const clock = new ManualClock();
  /** The organisations whose commands are under way. Each waits for its answer. */
  const underWay: string[] = [];
  const ends: (() => void)[] = [];
  const weights: number[] = [];
  const budget = { left: Number.POSITIVE_INFINITY };
  const ports = {
    clock,
    budgets: {
      limits: new Map(),
      refused: new RefusedRequests(),
      uses: new BudgetUses(clock),
      spend: (_budget: object, _countedAs: string, _organisationId: string, _deadlineAt: number, weight: number) => {
        weights.push(weight);
        const allowed = weight <= budget.left;
        return done({ allowed, remaining: budget.left, resetAfterMs: 30_000 });
      },
    },
    bulkLimiter: createLargeLimiter(clock, 8, 1),
    principals: {
      console: ({ authorization }: { authorization: string }) =>
        done({ kind: 'secret', keyId: 'key_1', organisationId: authorization, workspaceId: null, mode: 'test' }),
    },
    events: { get: async () => done({ event: { key: 'gala', organisationId: 'org_1', mode: 'test' } }) },
    shards: {
      submit: ({ organisationId }: { organisationId: string }) => {
        underWay.push(organisationId);
        return new Promise((resolve) => ends.push(() => resolve(done({ blocked: [] }))));
      },
    },
    onFault: (error: unknown) => {
      throw error;
    },
  };
  const answers: Answer[] = [];
  const ask = (organisationId: string, labels: readonly string[]) => {
    // Each organisation has an event of its own.
    const own = Object.assign(Object.create(ports), {
      events: { get: () => done({ event: { key: 'gala', organisationId, mode: 'test', workspaceId: 'ws_1' } }) },
    });
    const request = {
      method: 'POST',
      requestId: 'r1',
      deadlineAt: clock.elapsed() + requestDeadlineMs,
      params: ['gala'],
      query: new URLSearchParams(),
      authorization: organisationId,
      contentType: 'application/json',
      idempotencyKey: '',
      incoming: null,
      body: Buffer.from(JSON.stringify({ labels })),
      address: () => '10.0.0.1',
    };
    submit(own, route as never, request as never, {
      onAnswer: (answer) => answers.push(answer as Answer),
      onFault: (error) => {
        throw error;
      },
    });
  };
  const turn = async () => {
    for (let n = 0; n < 4; n++) {
      await settled();
      clock.advance(0);
    }
    await settled();
  };
  return { clock, underWay, ends, weights, budget, answers, ask, turn };
}

test('the second call of an organisation waits for the first, and another organisation does not', async () => {
  const { underWay, ends, ask, turn } = door();
  ask('org_1', many);
  ask('org_1', many);
  ask('org_2', many);
  await turn();
  expect(underWay).toEqual(['org_1', 'org_2']);
  ends[0]!();
  await turn();
  expect(underWay).toEqual(['org_1', 'org_2', 'org_1']);
});

test('a turn of the loop passes between the reading of the body and its command', async () => {
  const { underWay, ask, clock } = door();
  ask('org_1', many);
  await settled();
  expect(underWay).toEqual([]);
  clock.advance(0);
  await settled();
  expect(underWay).toEqual(['org_1']);
});

test('a small call counts no labels, and never waits', async () => {
  const { underWay, weights, ask, turn } = door();
  ask('org_1', many);
  await turn();
  ask('org_1', many.slice(1));
  await settled();
  expect(underWay).toEqual(['org_1', 'org_1']);
  expect(weights).toEqual([many.length]);
});

test('a call past the budget is answered 429, and another call may take the turn', async () => {
  const { underWay, budget, answers, ask, turn } = door();
  budget.left = 50;
  ask('org_1', many);
  await turn();
  expect(answers[0]).toMatchObject({ status: 429 });
  expect(JSON.parse(answers[0]!.body as string)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 30 });
  budget.left = 500;
  ask('org_1', many);
  await turn();
  expect(underWay).toEqual(['org_1']);
});

test('a call that waits at its deadline is refused and leaves the queue, as do calls past the bound', async () => {
  const { clock, underWay, ends, answers, ask, turn } = door();
  ask('org_1', many);
  await turn();
  for (let n = 0; n < largeTurnsOfTenantMax + 1; n++) ask('org_1', many);
  await turn();
  expect(answers).toMatchObject([{ status: 503 }]);
  clock.advance(requestDeadlineMs);
  await turn();
  expect(answers).toHaveLength(largeTurnsOfTenantMax + 1);
  ends[0]!();
  await turn();
  expect(underWay).toEqual(['org_1']);
});
