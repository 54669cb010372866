/** The metrics of a plan compiler, for every service that has one. */
import { Counter, type Registry } from 'prom-client';
import type { PlanCompiler } from './plan-compiler.ts';

export function measureCompiler(compiler: PlanCompiler, registry: Registry): void {
  new Counter({
    name: 'parterre_plan_compiler_deaths_total',
    help: 'Threads of the plan compiler that died.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(compiler.deaths);
    },
  });
}
