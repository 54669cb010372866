/** Templates: the list, and a new chart from one of them. */
import { draftSeatTotal } from '@parterre/shared/chart/compile';
import { done, refuse } from '@parterre/shared/errors';
import { drawTemplate, type Template, templates, usualSizes } from '@parterre/shared/templates/templates';
import { budgets, callIdOf, scopeOf } from '../../admission/admission.ts';
import { packDocument } from '../../caches/caches.ts';
import { serverRoute } from '../calls/calls.ts';
import { meta } from '../charts/charts.ts';
import { listTemplatesAnswer } from './answers.ts';
import { instantiateBody } from './bodies.ts';

const counted = { budget: budgets.serverCalls };

export const templateRoutes = [
  serverRoute('GET /v1/templates', { ...counted, answer: listTemplatesAnswer }, () => {
    told ??= { templates: templates.map(tell) };
    return done(told);
  }),
  serverRoute(
    'POST /v1/templates/{id}/instantiate',
    { ...counted, answer: meta, body: instantiateBody, bodyOptional: true, idempotent: true, status: 201 },
    async (call) => {
      const { sizes = {}, name, ...named } = call.body;
      const template = templates.find(({ id }) => id === call.request.params[0]);
      if (!template) return unknownTemplate;
      const drawn = drawTemplate(template, sizes);
      if ('issues' in drawn) {
        const { issues } = drawn;
        return refuse('invalid_request', 'The template cannot be drawn in these sizes.', { details: { issues } });
      }
      const chartName = name ?? template.name;
      return call.ports.catalog('charts.create', {
        scope: scopeOf(call.principal),
        ...named,
        name: chartName,
        doc: await packDocument({ ...drawn.document, name: chartName }),
        ...callIdOf(call),
      });
    },
  ),
];

const unknownTemplate = refuse('not_found', 'There is no such template. GET /v1/templates lists them.');

/** Made at the first request: the usual charts are drawn to be counted. */
let told: { templates: ReturnType<typeof tell>[] } | null = null;

function tell(template: Template) {
  const { id, name, description, sizes } = template;
  return { id, name, description, sizes: [...sizes], seatTotal: draftSeatTotal(template.draw(usualSizes(template))) };
}
