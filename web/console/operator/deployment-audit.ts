/** The audit of the deployment: entries of all organisations, and logins with unknown emails. */
import { AuditList } from '../frame/audit-list.ts';
import type { OperatorPage, OperatorPorts } from './page.ts';

export const openDeploymentAudit = (ports: OperatorPorts): OperatorPage => new AuditList(ports, 'audit');
