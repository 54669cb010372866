/** The operator's view of the catalog's projections of the journal, and their rebuild. */
import { operatorRoute } from '../calls/calls.ts';
import { projectionState } from './answers.ts';

export const projectionRoutes = [
  operatorRoute('GET /v1/admin/projections', { answer: projectionState }, ({ ports }) =>
    ports.catalog('projections.state', {}),
  ),
  operatorRoute('POST /v1/admin/projections/rebuild', { answer: projectionState, status: 202 }, ({ ports }) =>
    ports.catalog('projections.rebuild', {}),
  ),
];
