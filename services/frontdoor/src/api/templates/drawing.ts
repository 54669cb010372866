/** Templates as the API tells them and draws them. */
import { draftSeatTotal } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { drawTemplate, type Template, templates, usualSizes } from '@parterre/shared/templates/templates';

type Told = ReturnType<typeof tell>;

/** Made at the first request: the usual charts are drawn to be counted. */
let told: { templates: Told[] } | null = null;

export function listTemplates(): { templates: Told[] } {
  told ??= { templates: templates.map(tell) };
  return told;
}

function tell(template: Template) {
  const { id, name, description, sizes } = template;
  return { id, name, description, sizes: [...sizes], seatTotal: draftSeatTotal(template.draw(usualSizes(template))) };
}

const unknownTemplate = refuse('not_found', 'There is no such template. GET /v1/templates lists them.');

/** The chart of a template, under the template's name if it gets none. */
export function drawNamed(
  templateId: string,
  sizes: Readonly<Record<string, unknown>> = {},
  name?: string,
): Outcome<ChartDocument> {
  const template = templates.find(({ id }) => id === templateId);
  if (!template) return unknownTemplate;
  const drawn = drawTemplate(template, sizes);
  if ('document' in drawn) return done({ ...drawn.document, name: name ?? template.name });
  const { issues } = drawn;
  return refuse('invalid_request', 'The template cannot be drawn in these sizes.', { details: { issues } });
}
