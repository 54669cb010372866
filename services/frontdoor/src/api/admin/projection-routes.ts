/** The operator's look at the catalog's projections of the journal, and building them anew. */
import { operatorRoute, type Route } from '../calls/route.ts';

export const projectionRoutes: Route[] = [
  operatorRoute('GET /v1/admin/projections', {}, ({ ports }) => ports.catalog('projections.state', {})),
  operatorRoute('POST /v1/admin/projections/rebuild', { status: 202 }, ({ ports }) =>
    ports.catalog('projections.rebuild', {}),
  ),
];
