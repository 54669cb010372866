/**
 * The lists that show a season, as texts of one index: a list names any of workspace, mode and structure state. Pure.
 */
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';

type Filter = Pick<SeasonRecord, 'organisationId'> &
  Partial<Pick<SeasonRecord, 'workspaceId' | 'mode' | 'structureState'>>;

export function filterOf({ organisationId, workspaceId = '', mode, structureState }: Filter): string {
  return [organisationId, workspaceId, mode ?? '', structureState ?? ''].join(' ');
}

/** Every combination of the filters that finds the season. */
export function filtersOf(season: Required<Filter>): string[] {
  const { organisationId, workspaceId, mode, structureState } = season;
  const filters: string[] = [];
  for (const inWorkspace of [{}, { workspaceId }]) {
    for (const inMode of [{}, { mode }]) {
      for (const inState of [{}, { structureState }]) {
        filters.push(filterOf({ organisationId, ...inWorkspace, ...inMode, ...inState }));
      }
    }
  }
  return filters;
}
