/** Workspaces of an organisation. */
import { room } from '../../openapi/openapi.ts';
import { workspaceDescriptions } from './descriptions.ts';
import { workspaceRoutes } from './routes.ts';

export const workspacesRoom = room(workspaceRoutes, workspaceDescriptions);
