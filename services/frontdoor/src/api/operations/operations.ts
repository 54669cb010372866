/** Operations over several events, as the routes of groups and seasons run them. */
export { actionId, operationName } from './bodies.ts';
export {
  bookOperation,
  callerOfOwnerBuyer,
  coordinatorOf,
  type FoundOperation,
  findOperation,
} from './find-operation.ts';
export { again, holdState, internalIdOfHold, isUnfinished, ownerHoldId } from './hold-states.ts';
export {
  buyersCoordinator,
  deadlineOf,
  isOwn,
  ownById,
  ownOperation,
  takenName,
  ttlMsOf,
} from './holders.ts';
