/**
 * Opens a session: its rights first, then its chart. Failure at each await: without an answer nothing is shown, and the
 * page offers to try again; an ended session says so.
 */
import type { Permissions, SafeJudge } from '../document/permissions.ts';
import { safeJudge } from '../document/safe-mode.ts';
import type { DesignerSession, Failure, OpenChart, Server } from './calls.ts';
import type { Cover } from './cover.ts';

export type Opened = { session: DesignerSession; chart: OpenChart };

/** `framer` is the origin of the page around, as its sealed address names it; null in a tab of its own. */
export async function openSession(
  server: Server,
  framer: string | null,
): Promise<{ ok: true; value: Opened } | { ok: false; cover: Cover; failure: Failure | null }> {
  const told = await server.session();
  if (!told.ok) return { ok: false, cover: coverOf(told), failure: told };
  const { session } = told.value;
  if (framer !== null && framer !== session.allowedOrigin)
    return { ok: false, cover: { kind: 'foreign', origin: session.allowedOrigin }, failure: null };
  const chart = await server.open(session.chartId);
  if (!chart.ok) return { ok: false, cover: coverOf(chart), failure: chart };
  return { ok: true, value: { session, chart: chart.value } };
}

function coverOf({ status, problem }: Failure): Cover {
  if (status === 401) return { kind: 'ended' };
  return { kind: 'failed', message: problem.message ?? null };
}

/** A feature is off where the session says false. Names that nobody knows are kept, and have no effect. */
export function permissionsOf({ authority, safeModeOptions, featurePolicy }: DesignerSession): Permissions {
  return {
    authority,
    safe: safeModeOptions && {
      mayDelete: safeModeOptions.allowDeletingObjects,
      mayChangeCapacity: safeModeOptions.allowEditingAreaCapacity,
    },
    has: (feature) => featurePolicy[feature] !== false,
  };
}

/**
 * Safe mode's judge of edits, where the draft still is the published version when the page opens. Of other charts the
 * page does not have the published version, and the server alone judges them as they are saved.
 */
export function judgeOf(session: DesignerSession, { meta, doc }: OpenChart): SafeJudge | null {
  const { safe } = permissionsOf(session);
  return safe && meta.publishedAt === meta.updatedAt ? safeJudge(doc, safe) : null;
}
