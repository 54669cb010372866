/** An endpoint is a row of the route table and its description, side by side. */
import { Fault } from '@parterre/shared/protocol/errors';
import type { Row } from '../admission/admission.ts';
import type { Description } from './description.ts';

export type Endpoint = { row: Row; description: Description };

/** Throws a `Fault` for two rows of one signature. */
export function endpointsOf(routes: readonly (Row & { description: Description })[]): Endpoint[] {
  const all = routes.map(({ signature }) => signature);
  const twice = all.filter((signature, index) => all.indexOf(signature) !== index);
  if (twice.length > 0) throw new Fault(`add the routes ${twice.join(', ')}: there are two of each`);
  return routes.map((row) => ({ row, description: row.description }));
}
