/** The metrics of a plan compiler, for every service that has one. */
import type { Registry } from 'prom-client';
import { counter } from '../../runtime/measures.ts';
import type { PlanCompiler } from './plan-compiler.ts';

export function measureCompiler(compiler: PlanCompiler, registry: Registry): void {
  counter(
    registry,
    'parterre_plan_compiler_deaths_total',
    'Threads of the plan compiler that died.',
    () => compiler.deaths,
  );
}
