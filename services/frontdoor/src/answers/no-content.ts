/** A success without a body. */
import { Prepared } from './answer.ts';

export const noContent = new Prepared(204, [], '');
