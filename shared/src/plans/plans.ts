/**
 * Opens the room of plans: plans by hash, compiled away from the loop. plan-source.ts keeps the plans of a process.
 * plan-compiler.ts is the loop's side of the thread that compiles plans, compiler-worker.ts starts the thread, and
 * compiler-program.ts is its program.
 */
export { measureCompiler } from './compiler-metrics.ts';
export { compilerThread } from './compiler-worker.ts';
export { PlanCompiler } from './plan-compiler.ts';
export { createPlanSource, type PlanSource } from './plan-source.ts';
