/** The lifecycle operations within a document: the newest may be open, all others are terminal. Pure. */
import type { Lifecycle } from '@parterre/shared/protocol/catalog/lifecycles';
import { lifecyclesKept } from '../../store/rules/bounds.ts';
import type { Living } from '../../store/rules/records.ts';

type Begun<L extends Lifecycle> = Pick<L, 'operationId' | 'kind' | 'phase' | 'totalLocks'>;

/** The document with a new open operation. The caller has checked that no operation is open. */
export function begun<L extends Lifecycle, V extends Living<L>>(value: V, operation: Begun<L>, now: number): V {
  const lifecycle = {
    ...operation,
    terminal: false,
    ackedLocks: 0,
    remainingOperations: null,
    code: null,
    createdAt: now,
    updatedAt: now,
  } as unknown as L;
  const lifecycles = [...value.lifecycles, lifecycle].slice(-lifecyclesKept);
  return { ...value, lifecycles, open: true, updatedAt: laterThan(value, now) };
}

type Moved<L extends Lifecycle> = Partial<
  Pick<L, 'phase' | 'terminal' | 'ackedLocks' | 'remainingOperations' | 'code'>
>;

/** The document with its open operation moved on. A terminal move closes the operation. */
export function moved<L extends Lifecycle, V extends Living<L>>(value: V, change: Moved<L>, now: number): V {
  const newest = { ...value.lifecycles.at(-1)!, ...change, updatedAt: now };
  const open = newest.terminal ? null : (true as const);
  return { ...value, lifecycles: [...value.lifecycles.slice(0, -1), newest], open, updatedAt: laterThan(value, now) };
}

/** The open operation; null if there is none. */
export function openLifecycle<L extends Lifecycle>({ open, lifecycles }: Living<L>): L | null {
  return open ? lifecycles.at(-1)! : null;
}

export function lifecycleNamed<L extends Lifecycle>({ lifecycles }: Living<L>, operationId: string): L | null {
  return lifecycles.find((each) => each.operationId === operationId) ?? null;
}

function laterThan({ updatedAt }: Living, now: number): number {
  return Math.max(now, updatedAt + 1);
}
