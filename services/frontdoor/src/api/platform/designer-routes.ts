/**
 * The designer's page, and the element that a platform puts around it. Only the page that the address names with a seal
 * may frame the designer, and no page that opened it in a tab of its own keeps a hold of it. The policy limits the page
 * to this front door's own scripts and calls. A chart may name pictures of any https address.
 */
import { budgets } from '../../admission/admission.ts';
import { framerOf, type Header } from '../../answers/answers.ts';
import { openRoute } from '../calls/calls.ts';
import { pageFile } from './page-file.ts';
import { designerPageQuery } from './queries.ts';

const file = { budget: budgets.publicFiles, answer: null };

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];
const alone: Header = ['Cross-Origin-Opener-Policy', 'same-origin'];

export const designerRoutes = [
  openRoute('GET /designer', { ...file, query: designerPageQuery }, ({ ports, request }) => {
    const framer = framerOf(ports.framerKey, request.query) ?? "'none'";
    return pageFile(ports.designer, request, 'index.html', [...policy, `frame-ancestors ${framer}`], [alone]);
  }),
  openRoute('GET /designer/{file}', file, ({ ports, request }) =>
    pageFile(ports.designer, request, request.params[0]!, [...policy, "frame-ancestors 'none'"]),
  ),
];
