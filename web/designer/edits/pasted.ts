/** The clipboard's text comes from anywhere. An object that the server would refuse would hold up every later save. */
import { checkStructure } from '@parterre/shared/charts/document';
import { config } from 'zod';
import type { Fields } from '../document/fields.ts';

// The page's policy forbids code from texts, which would be faster.
config({ jitless: true });

/** Whether objects, categories and zones have the structure of a chart's, as they are after a save. */
export function areOfChart({ objects, categories = [], zones = [] }: Fields): boolean {
  const venue = { version: 1, name: '', venueType: 'SIMPLE', focalPoint: { x: 0, y: 0 }, categories, zones, objects };
  // A number like 1e999 becomes null on its way to the server.
  return checkStructure(JSON.parse(JSON.stringify(venue))).length === 0;
}
