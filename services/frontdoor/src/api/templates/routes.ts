/** Templates: the list, and a new chart from one of them. */
import { done } from '@parterre/shared/errors';
import { budgets, callIdOf, scopeOf } from '../../admission/admission.ts';
import { packDocument } from '../../caches/caches.ts';
import { serverRoute } from '../calls/calls.ts';
import { meta } from '../charts/charts.ts';
import { listTemplatesAnswer } from './answers.ts';
import { instantiateBody } from './bodies.ts';
import { drawNamed, listTemplates } from './drawing.ts';

const counted = { budget: budgets.serverCalls };

export const templateRoutes = [
  serverRoute('GET /v1/templates', { ...counted, answer: listTemplatesAnswer }, () => done(listTemplates())),
  serverRoute(
    'POST /v1/templates/{id}/instantiate',
    { ...counted, answer: meta, body: instantiateBody, bodyOptional: true, idempotent: true, status: 201 },
    async (call) => {
      const { sizes, name, ...named } = call.body;
      const drawn = drawNamed(call.request.params[0]!, sizes, name);
      if (!drawn.ok) return drawn;
      return call.ports.catalog('charts.create', {
        scope: scopeOf(call.principal),
        ...named,
        name: drawn.value.name,
        doc: await packDocument(drawn.value),
        ...callIdOf(call),
      });
    },
  ),
];
