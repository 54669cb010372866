/** Workspaces: list, create, read and change them. */
import { refuse } from '@parterre/shared/errors';
import { callIdOf, scopeOf } from '../../admission/admission.ts';
import { type Call, serverRoute } from '../calls/calls.ts';
import { listWorkspacesAnswer, one } from './answers.ts';
import { workspaceBody, workspaceUpdateBody } from './bodies.ts';

export const workspaceRoutes = [
  serverRoute('GET /v1/workspaces', { answer: listWorkspacesAnswer }, ({ ports, principal }) =>
    ports.catalog('workspaces.list', { scope: scopeOf(principal) }),
  ),
  serverRoute('POST /v1/workspaces', { answer: one, body: workspaceBody, idempotent: true, status: 201 }, (call) =>
    call.ports.catalog('workspaces.create', { scope: scopeOf(call.principal), ...call.body, ...callIdOf(call) }),
  ),
  serverRoute('GET /v1/workspaces/{id}', { answer: one }, (call) => call.ports.catalog('workspaces.get', target(call))),
  serverRoute('PATCH /v1/workspaces/{id}', { answer: one, body: workspaceUpdateBody }, (call) => {
    if (Object.keys(call.body).length === 0) return refuse('nothing_to_update', 'Name at least one field to change.');
    return call.ports.catalog('workspaces.update', { ...target(call), ...call.body });
  }),
];

function target(call: Call<'server', unknown, null>) {
  return { scope: scopeOf(call.principal), workspaceId: call.request.params[0]! };
}
