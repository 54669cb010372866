/** The operator's view of the catalog's projections of the journal, and their rebuild. */
import { unbudgeted } from '../../admission/admission.ts';
import { operatorRoute } from '../calls/calls.ts';
import { projectionState } from './answers.ts';

const operator = { budget: unbudgeted.operator };

export const projectionRoutes = [
  operatorRoute('GET /v1/admin/projections', { ...operator, answer: projectionState }, ({ ports }) =>
    ports.catalog('projections.state', {}),
  ),
  operatorRoute(
    'POST /v1/admin/projections/rebuild',
    { ...operator, answer: projectionState, status: 202 },
    ({ ports }) => ports.catalog('projections.rebuild', {}),
  ),
];
