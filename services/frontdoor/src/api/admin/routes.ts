/** The operator's surface, with the root token: organisations, their keys, users and credits. */

import { unbudgeted } from '../../admission/admission.ts';
import { secretOnce } from '../../answers/answers.ts';
import { operatorRoute, pageOf } from '../calls/calls.ts';
import {
  addCreditsAnswer,
  createKeyAnswer,
  createOrganisationAnswer,
  createUserAnswer,
  deleteUserAnswer,
  getOrganisationAnswer,
  listKeysAnswer,
  listOrganisationsAnswer,
  listUsersAnswer,
  revokeKeyAnswer,
} from './answers.ts';
import { creditsBody, keyBody, organisationBody, userBody } from './bodies.ts';
import { endOfMinterQuery, pageQuery } from './queries.ts';

const operator = { budget: unbudgeted.operator };

const created = { status: 201 };

export const adminRoutes = [
  operatorRoute(
    'GET /v1/admin/organisations',
    { ...operator, answer: listOrganisationsAnswer, query: pageQuery },
    ({ ports, query }) => ports.catalog('organisations.list', { page: pageOf(query) }),
  ),
  operatorRoute(
    'POST /v1/admin/organisations',
    { ...operator, answer: createOrganisationAnswer, body: organisationBody, ...created },
    ({ ports, body }) => ports.catalog('organisations.create', body),
  ),
  operatorRoute(
    'GET /v1/admin/organisations/{id}',
    { ...operator, answer: getOrganisationAnswer },
    ({ ports, request }) => ports.catalog('organisations.get', { organisationId: request.params[0]! }),
  ),
  operatorRoute(
    'POST /v1/admin/organisations/{id}/credits',
    { ...operator, answer: addCreditsAnswer, body: creditsBody },
    ({ ports, request, body }) =>
      ports.catalog('organisations.add-credits', { organisationId: request.params[0]!, ...body }),
  ),

  operatorRoute(
    'GET /v1/admin/organisations/{id}/users',
    { ...operator, answer: listUsersAnswer, query: pageQuery },
    ({ ports, request, query }) =>
      ports.catalog('users.list', { organisationId: request.params[0]!, page: pageOf(query) }),
  ),
  operatorRoute(
    'POST /v1/admin/organisations/{id}/users',
    { ...operator, answer: createUserAnswer, body: userBody, ...created },
    ({ ports, request, body }) => ports.catalog('users.create', { organisationId: request.params[0]!, ...body }),
  ),
  operatorRoute(
    'DELETE /v1/admin/organisations/{id}/users/{userId}',
    { ...operator, answer: deleteUserAnswer, query: endOfMinterQuery },
    ({ ports, query, request: { params } }) =>
      ports.catalog('users.delete', {
        ...{ organisationId: params[0]!, userId: params[1]! },
        endsMinted: query.endSessions,
      }),
  ),

  operatorRoute(
    'GET /v1/admin/organisations/{id}/keys',
    { ...operator, answer: listKeysAnswer, query: pageQuery },
    ({ ports, request, query }) =>
      ports.catalog('keys.list', { organisationId: request.params[0]!, page: pageOf(query) }),
  ),
  operatorRoute(
    'POST /v1/admin/organisations/{id}/keys',
    { ...operator, answer: createKeyAnswer, body: keyBody, ...created },
    async (call) => {
      const made = await call.ports.catalog('keys.create', { organisationId: call.request.params[0]!, ...call.body });
      return made.ok ? secretOnce(made.value) : made;
    },
  ),
  operatorRoute(
    'DELETE /v1/admin/organisations/{id}/keys/{keyId}',
    { ...operator, answer: revokeKeyAnswer, query: endOfMinterQuery },
    ({ ports, query, request: { params } }) =>
      ports.catalog('keys.revoke', {
        ...{ organisationId: params[0]!, keyId: params[1]! },
        endsMinted: query.endSessions,
      }),
  ),
];
