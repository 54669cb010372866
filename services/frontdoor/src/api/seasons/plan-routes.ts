/** Plans of a season and their publication, and the moves of its sales. */
import type { PlanStep, SalesMove } from '@parterre/shared/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { callIdOf } from '../../admission/admission.ts';
import { preparedJson, spell } from '../../answers/answers.ts';
import { type Call, serverRoute } from '../calls/calls.ts';
import { planBody, stepBody } from './bodies.ts';
import { counted, locationOf, target, told } from './routes.ts';
import { onePlan, oneSeason, planOf, planStep, planStepOf } from './season-answers.ts';

const salesRow = { ...counted, answer: oneSeason, body: stepBody };
const stepRow = { ...counted, answer: planStep, body: stepBody };

type StepCall = Call<'server', { expectedRevision: number }, null>;

export const planRoutes = [
  serverRoute(
    'POST /v1/seasons/{key}/plans',
    { ...counted, answer: onePlan, body: planBody, status: 201, idempotent: true },
    async (call) => {
      const { name, ...selection } = call.body;
      const made = await call.ports.catalog('seasons.create-plan', {
        ...target(call),
        ...{ name, selection },
        ...callIdOf(call),
      });
      return made.ok ? done({ plan: planOf(made.value.plan) }) : made;
    },
  ),
  serverRoute('GET /v1/seasons/{key}/plans/{planKey}', { ...counted, answer: onePlan }, async (call) => {
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const plan = found.value.season.plans.find(({ key }) => key === call.request.params[1]);
    return plan ? done({ plan: planOf(plan) }) : unknownPlan;
  }),
  serverRoute('POST /v1/seasons/{key}/plans/{planKey}/publish', stepRow, async (call) =>
    taken(call, await call.ports.catalog('seasons.publish-plan', { ...planTarget(call), ...call.body })),
  ),
  serverRoute('POST /v1/seasons/{key}/plans/{planKey}/supersede', stepRow, async (call) =>
    taken(call, await call.ports.catalog('seasons.supersede-plan', { ...planTarget(call), ...call.body })),
  ),
  serverRoute('POST /v1/seasons/{key}/sales/open', salesRow, (call) => moved(call, 'open')),
  serverRoute('POST /v1/seasons/{key}/sales/pause', salesRow, (call) => moved(call, 'pause')),
  serverRoute('POST /v1/seasons/{key}/sales/resume', salesRow, (call) => moved(call, 'resume')),
  serverRoute('POST /v1/seasons/{key}/sales/end', salesRow, (call) => moved(call, 'end')),
];

const unknownPlan = refuse('not_found', 'The season has no such plan. Check its key.');

function planTarget(call: StepCall) {
  return { ...target(call), planKey: call.request.params[1]! };
}

/** A publication is over with its answer. */
function taken({ request }: StepCall, step: Outcome<PlanStep>) {
  return step.ok ? done(preparedJson(spell(planStepOf(step.value)), [locationOf(request, step.value)])) : step;
}

async function moved(call: StepCall, move: SalesMove) {
  return told(await call.ports.catalog('seasons.move-sales', { ...target(call), ...call.body, move }));
}
