/** The audit of the organisation. */
import { AuditList } from '../frame/audit-list.ts';
import type { OpenPage } from './page.ts';

export const openAudit: OpenPage = (ports) => new AuditList(ports, 'dashboard/audit');
