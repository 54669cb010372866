/** The operator's surface, with the root token: organisations, their keys, users and credits (wire contract 2). */

import { pageOf } from '../../admission/scope.ts';
import { secretOnce } from '../../answers/secret-once.ts';
import { operatorRoute, type Request, type Route } from '../calls/route.ts';
import { creditsBody, keyBody, organisationBody, userBody } from './bodies.ts';

const pages = { usual: 100, most: 200 };
const created = { status: 201 };

/** Of a page of what an organisation has. */
const listed = ({ params, query }: Request) => ({ organisationId: params[0]!, page: pageOf(query, pages) });

export const adminRoutes: Route[] = [
  operatorRoute('GET /v1/admin/organisations', {}, ({ ports, request }) =>
    ports.catalog('organisations.list', { page: pageOf(request.query, pages) }),
  ),
  operatorRoute('POST /v1/admin/organisations', { body: organisationBody, ...created }, ({ ports, body }) =>
    ports.catalog('organisations.create', body),
  ),
  operatorRoute('GET /v1/admin/organisations/{id}', {}, ({ ports, request }) =>
    ports.catalog('organisations.get', { organisationId: request.params[0]! }),
  ),
  operatorRoute('POST /v1/admin/organisations/{id}/credits', { body: creditsBody }, ({ ports, request, body }) =>
    ports.catalog('organisations.add-credits', { organisationId: request.params[0]!, ...body }),
  ),

  operatorRoute('GET /v1/admin/organisations/{id}/users', {}, ({ ports, request }) =>
    ports.catalog('users.list', listed(request)),
  ),
  operatorRoute('POST /v1/admin/organisations/{id}/users', { body: userBody, ...created }, ({ ports, request, body }) =>
    ports.catalog('users.create', { organisationId: request.params[0]!, ...body }),
  ),
  operatorRoute('DELETE /v1/admin/organisations/{id}/users/{userId}', {}, ({ ports, request: { params } }) =>
    ports.catalog('users.delete', { organisationId: params[0]!, userId: params[1]! }),
  ),

  operatorRoute('GET /v1/admin/organisations/{id}/keys', {}, ({ ports, request }) =>
    ports.catalog('keys.list', listed(request)),
  ),
  operatorRoute('POST /v1/admin/organisations/{id}/keys', { body: keyBody, ...created }, async (call) => {
    const made = await call.ports.catalog('keys.create', { organisationId: call.request.params[0]!, ...call.body });
    return made.ok ? secretOnce(made.value) : made;
  }),
  operatorRoute('DELETE /v1/admin/organisations/{id}/keys/{keyId}', {}, ({ ports, request: { params } }) =>
    ports.catalog('keys.revoke', { organisationId: params[0]!, keyId: params[1]! }),
  ),
];
