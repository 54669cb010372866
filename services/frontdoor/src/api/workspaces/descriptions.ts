/** The description of workspaces. */
import type { Description } from '../../openapi/openapi.ts';

export const workspaceDescriptions = {
  'GET /v1/workspaces': {
    operationId: 'listWorkspaces',
    tag: 'Workspaces',
    summary: 'All workspaces',
    examples: [{ summary: 'All of them' }],
  },
  'POST /v1/workspaces': {
    operationId: 'createWorkspace',
    tag: 'Workspaces',
    summary: 'Create a workspace',
    refusals: ['forbidden'],
    examples: [
      { summary: 'For a touring company', body: { name: 'On tour', defaultRegion: 'north-america-east' } },
      {
        summary: 'In an unknown region',
        body: { name: 'On tour', defaultRegion: 'moon' },
        answers: 'invalid_request',
      },
    ],
  },
  'GET /v1/workspaces/{id}': {
    operationId: 'getWorkspace',
    tag: 'Workspaces',
    summary: 'One workspace',
    refusals: ['not_found'],
    examples: [
      { summary: 'The default workspace' },
      { summary: 'An unknown workspace', path: { id: 'ws_0' }, answers: 'not_found' },
    ],
  },
  'PATCH /v1/workspaces/{id}': {
    operationId: 'updateWorkspace',
    tag: 'Workspaces',
    summary: 'Change a workspace, disable it, or make it the default',
    description:
      'A disabled workspace takes no new charts and events, and its embedded sessions end. The default workspace ' +
      'cannot be disabled.',
    refusals: ['forbidden', 'not_found', 'nothing_to_update', 'default_workspace_required'],
    examples: [
      { summary: 'Another name', body: { name: 'Main house', externalRef: 'house-1' } },
      { summary: 'Disable the default workspace', body: { status: 'disabled' }, answers: 'default_workspace_required' },
      { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
      { summary: 'An unknown workspace, without a field', path: { id: 'ws_0' }, body: {}, answers: 'not_found' },
      { summary: 'An unknown workspace', path: { id: 'ws_0' }, body: { name: 'Main house' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
