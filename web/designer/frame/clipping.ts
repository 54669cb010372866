import type { Bench } from './workbench.ts';
export function copied(_bench: Bench): boolean { return false; }
export function pasted(_bench: Bench): void {}
