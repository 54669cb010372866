/**
 * The routes of the lifecycle of groups and seasons: a step begins, and is polled until it has ended. The owner has the
 * words, and the answer of its steps.
 */
import { isOpenStep, type Lifecycle } from '@parterre/shared/protocol/catalog/lifecycles';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import type { z } from 'zod';
import type { Budget } from '../admission/admission.ts';
import { type Header, preparedJson, type Spelled, spell } from '../answers/answers.ts';
import type { Description } from '../openapi/openapi.ts';
import { type Call, type Route, serverRoute, type WithPath } from './calls/route.ts';
import { again } from './sales-over-events.ts';

type Owners = 'performance-groups' | 'seasons';
type AnyStep = { lifecycle: Lifecycle };
type StepAnswer = { lifecycleOperation: unknown };
type StepBody = { expectedRevision: number };

export type StepCall = Call<'server', StepBody> & WithPath<'key'>;

export type StepOwner<Step extends AnyStep> = {
  owners: Owners;
  noun: 'PerformanceGroup' | 'Season';
  tag: 'Groups' | 'Seasons';
  budget: Budget;
  body: z.ZodType<StepBody>;
  answer: z.ZodType<StepAnswer>;
  show(step: Step): StepAnswer;
};

type Words = Pick<Description, 'summary' | 'description' | 'refusals' | 'examples'>;

export function stepRoute<Step extends AnyStep>(
  owner: StepOwner<Step>,
  move: 'activate' | 'close' | 'archive',
  words: Words,
  take: (call: StepCall) => Promise<Outcome<Step>>,
): Route {
  const { owners, noun, tag, budget, body, answer } = owner;
  return serverRoute(
    `POST /v1/${owners}/{key}/${move}`,
    {
      budget,
      answer,
      body,
      description: { operationId: `${move}${noun}`, tag, headers: ['Location', 'Retry-After'], ...words },
    },
    async (call) => {
      const step = await take(call);
      return step.ok ? takenStep(call, owners, step.value, spell(owner.show(step.value))) : step;
    },
  );
}

/** 200 for a step that has ended, 202 for an open step, which the caller polls at Location. */
export function takenStep<Body>(
  { path }: WithPath<'key'>,
  owners: Owners,
  { lifecycle: { operationId, step } }: AnyStep,
  body: Spelled<Body, string>,
) {
  const key = encodeURIComponent(path.key);
  const location: Header = ['Location', `/v1/${owners}/${key}/lifecycle/${operationId}`];
  const isOpen = isOpenStep(step);
  return done(preparedJson(body, isOpen ? [location, again] : [location], isOpen ? 202 : 200));
}

export function stepReadRoute<Step extends AnyStep>(
  { owners, noun, tag, budget, answer, show }: StepOwner<Step>,
  words: Words,
  read: (call: Call<'server'> & WithPath<'key'>, operationId: string) => Promise<Outcome<Step>>,
): Route {
  return serverRoute(
    `GET /v1/${owners}/{key}/lifecycle/{operationId}`,
    {
      budget,
      answer,
      description: { operationId: `get${noun}Lifecycle`, tag, headers: ['Retry-After'], ...words },
    },
    async (call) => {
      const step = await read(call, call.path.operationId);
      if (!step.ok) return step;
      return done(preparedJson(spell(show(step.value)), isOpenStep(step.value.lifecycle.step) ? [again] : []));
    },
  );
}
