/** Cursors and limits of lists. A cursor is opaque to callers. An unreadable cursor starts at the beginning. */
import { cursorIdLengthMax, pageLimitDefault, pageLimitMax } from './bounds.ts';

/** A place in a list: the value of the order, and the id. */
export type Position = { order: string | number; id: string };

export function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify([position.order, position.id])).toString('base64url');
}

export function decodeCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
    const [order, id] = parsed as unknown[];
    const isPlace = Number.isFinite(order) && typeof id === 'string' && id.length <= cursorIdLengthMax;
    return isPlace ? { order: order as number, id } : undefined;
  } catch {
    // Not JSON: a foreign or damaged cursor.
    return undefined;
  }
}

export function clampLimit(limit: number | undefined): number {
  if (limit === undefined || Number.isNaN(limit)) return pageLimitDefault;
  return Math.min(Math.max(Math.trunc(limit), 1), pageLimitMax);
}
