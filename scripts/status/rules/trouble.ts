/** What makes the exit code of `status` 1, one sentence each. `todo`: what to do, in one sentence. */
export type Trouble = { trouble: string; todo: string };
