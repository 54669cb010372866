/** Where an event lives. */
import { partitionOf } from '@parterre/shared/subjects';

export type Placement = (eventKey: string) => number;

export function createPlacement(partitions: number): Placement {
  return (eventKey) => partitionOf(eventKey, partitions);
}
