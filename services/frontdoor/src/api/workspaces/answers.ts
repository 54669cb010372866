/** Answers of workspaces. */
import { z } from 'zod';
import { workspace } from '../records/records.ts';

export const one = z.object({ workspace });

export const listWorkspacesAnswer = z.object({ workspaces: z.array(workspace) });
