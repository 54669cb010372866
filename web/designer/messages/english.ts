/**
 * Every text of the designer, in English. Each part of the designer has a table of its own, and keys start with the
 * part's name. Placeholders and plurals are those of the picker's texts (web/src/messages).
 */
import { drawing } from './drawing.ts';
import { editing } from './editing.ts';
import { panels } from './panels.ts';
import { saving } from './saving.ts';

export const english = { ...drawing, ...editing, ...panels, ...saving } as const;
