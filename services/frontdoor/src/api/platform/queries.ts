/** The query of the designer's page. */
import { z } from 'zod';
import { text } from '../calls/calls.ts';

export const designerPageQuery = z.object({
  parent: text('The origin whose pages may frame the designer.'),
  seal: text('Proves that this deployment has named the origin, in `designerUrl`.'),
});
