/** Operations over several events, as the routes of groups and seasons run them. */
export { actionId, operationName } from './bodies.ts';
export {
  bookOperation,
  callerOfOwnerBuyer,
  coordinatorOf,
  type FoundOperation,
  findOperation,
  shortestTtlMs,
} from './find-operation.ts';
export { again, holdState, internalIdOfHold, isUnfinished, ownerHoldId } from './hold-states.ts';
export {
  buyersCoordinator,
  deadlineOf,
  isOwn,
  ownById,
  ownOperation,
  takenName,
} from './holders.ts';
