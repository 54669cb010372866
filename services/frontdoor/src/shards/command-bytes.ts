/**
 * Estimates the bytes of a command in a message from the number of things that it names. Batches are cut by this
 * estimate.
 */
import type { Command } from '@parterre/shared/protocol/commands';

/** The bytes of one label, selection or section state, and of a command without any. */
const LABEL_BYTES = 48;
const COMMAND_BYTES = 192;

export function estimateBytes(command: Command): number {
  let named = 0;
  if ('selections' in command) named += command.selections.length;
  if ('labels' in command && command.labels) named += command.labels.length;
  if ('sectionStates' in command) named += Object.keys(command.sectionStates ?? {}).length;
  if ('rules' in command) for (const { labels = [] } of Object.values(command.rules)) named += 1 + labels.length;
  return COMMAND_BYTES + named * LABEL_BYTES;
}
