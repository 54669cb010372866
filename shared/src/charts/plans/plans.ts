/**
 * Opens the room of plans: plans by hash, compiled away from the loop. plan-source.ts keeps the plans of a process.
 * plan-compiler.ts is the loop's side of the thread that compiles plans, and compiler-program.ts is its program.
 */
export { measureCompiler } from './compiler-metrics.ts';
export { compilerThread, PlanCompiler } from './plan-compiler.ts';
export { createPlanSource, type PlanSource } from './plan-source.ts';
