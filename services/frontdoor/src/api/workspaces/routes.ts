/** Workspaces: list, create, read and change them. */
import { budgets, callIdOf, scopeOf } from '../../admission/admission.ts';
import { type Call, serverRoute } from '../calls/calls.ts';
import { listWorkspacesAnswer, one } from './answers.ts';
import { workspaceBody, workspaceUpdateBody } from './bodies.ts';

const counted = { budget: budgets.serverCalls };

export const workspaceRoutes = [
  serverRoute('GET /v1/workspaces', { ...counted, answer: listWorkspacesAnswer }, ({ ports, principal }) =>
    ports.catalog('workspaces.list', { scope: scopeOf(principal) }),
  ),
  serverRoute(
    'POST /v1/workspaces',
    { ...counted, answer: one, body: workspaceBody, idempotent: true, status: 201 },
    (call) =>
      call.ports.catalog('workspaces.create', { scope: scopeOf(call.principal), ...call.body, ...callIdOf(call) }),
  ),
  serverRoute('GET /v1/workspaces/{id}', { ...counted, answer: one }, (call) =>
    call.ports.catalog('workspaces.get', target(call)),
  ),
  serverRoute('PATCH /v1/workspaces/{id}', { ...counted, answer: one, body: workspaceUpdateBody }, (call) =>
    call.ports.catalog('workspaces.update', { ...target(call), ...call.body }),
  ),
];

function target(call: Call<'server', unknown, null>) {
  return { scope: scopeOf(call.principal), workspaceId: call.request.params[0]! };
}
