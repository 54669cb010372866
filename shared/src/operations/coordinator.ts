/** Coordinates the parts of an operation over several events. docs/operations-over-events.md has the design. */
import type { Coordinator, CoordinatorPorts } from './ports.ts';

export function createCoordinator(_ports: CoordinatorPorts): Coordinator {
  throw new Error('the coordinator is not built yet');
}
