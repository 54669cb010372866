/** The messages between the loop and the thread that compiles plans. One document is under way at a time. */
import type { PackedPlan } from './packed-plan.ts';

export type ToCompile = { doc: Uint8Array; hash: string };

export type Compiled = { kind: 'ok'; plan: PackedPlan } | { kind: 'failed'; message: string };
