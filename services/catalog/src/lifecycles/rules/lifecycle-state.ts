/** The lifecycle operations within a document: the newest may be open, all others have ended. Pure. */
import { isOpenStep, type Lifecycle, type OpenStep } from '@parterre/shared/protocol/catalog/lifecycles';
import { lifecyclesKept } from '../../store/rules/bounds.ts';
import type { Living } from '../../store/rules/records.ts';

/** The document with a new operation. The caller has checked that no operation is open. */
export function begun<V extends Living>(
  value: V,
  operation: Pick<Lifecycle, 'operationId' | 'kind' | 'step'>,
  now: number,
): V {
  const times = { createdAt: now, updatedAt: now };
  const lifecycle = { ...operation, ackedLocks: 0, remainingOperations: null, code: null, ...times };
  const latest = value.lifecycles.slice(1 - lifecyclesKept);
  // An operation whose locks may still come is kept until they are taken back.
  const earlier = value.lifecycles.filter((each) => latest.includes(each) || each.step === 'failed');
  return { ...withLifecycles(value, [...earlier, lifecycle]), updatedAt: laterThan(value, now) };
}

/** The document with its newest operation moved on. */
export function moved<V extends Living>(
  value: V,
  change: Partial<Pick<Lifecycle, 'step' | 'ackedLocks' | 'remainingOperations' | 'code'>>,
  now: number,
): V {
  const newest = { ...value.lifecycles.at(-1)!, ...change, updatedAt: now };
  const lifecycles = [...value.lifecycles.slice(0, -1), newest];
  return { ...withLifecycles(value, lifecycles), updatedAt: laterThan(value, now) };
}

/** The document without late locks of this failed activation. No caller sees the change, so the times stay. */
export function cleared<V extends Living>(value: V, { operationId }: Lifecycle): V {
  const lifecycles = value.lifecycles.map((each) =>
    each.operationId === operationId ? { ...each, step: 'cleared' as const } : each,
  );
  return withLifecycles(value, lifecycles);
}

function withLifecycles<V extends Living>(value: V, lifecycles: Lifecycle[]): V {
  const hasWork = lifecycles.some(({ step }) => isOpenStep(step) || step === 'failed');
  return { ...value, lifecycles, open: hasWork || null };
}

/** The newest operation with its step; null if it has ended. */
export function openLifecycle({
  lifecycles,
}: Pick<Living, 'lifecycles'>): { operation: Lifecycle; step: OpenStep } | null {
  const operation = lifecycles.at(-1);
  return operation && isOpenStep(operation.step) ? { operation, step: operation.step } : null;
}

export function lifecycleNamed<L extends Lifecycle>(
  { lifecycles }: { lifecycles: readonly L[] },
  operationId: string,
): L | null {
  return lifecycles.find((each) => each.operationId === operationId) ?? null;
}

function laterThan({ updatedAt }: Living, now: number): number {
  return Math.max(now, updatedAt + 1);
}
