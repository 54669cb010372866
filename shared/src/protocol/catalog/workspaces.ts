/** Workspaces, the parts of an organisation that have charts and events, and their operations. */
import type { Scope } from './scope.ts';

export type Workspace = {
  id: string;
  name: string;
  status: 'active' | 'disabled';
  isDefault: boolean;
  externalRef: string | null;
  defaultRegion: string;
};

type Details = { name?: string; externalRef?: string | null; defaultRegion?: string };

/**
 * operation → [input, output]. A scope that is bound to a workspace sees no other, and may neither create nor change a
 * workspace (`forbidden`); nor may a member's dashboard session. `callId` is set when the caller named the call.
 */
export type WorkspaceOperations = {
  'workspaces.list': [{ scope: Scope }, { workspaces: Workspace[] }];
  'workspaces.get': [{ scope: Scope; workspaceId: string }, { workspace: Workspace }];
  'workspaces.create': [Details & { scope: Scope; name: string; callId?: string }, { workspace: Workspace }];
  /** Refused with `default_workspace_required` when the default workspace would be disabled. */
  'workspaces.update': [
    Details & { scope: Scope; workspaceId: string; status?: Workspace['status']; isDefault?: true },
    { workspace: Workspace },
  ];
};
