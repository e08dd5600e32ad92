export { type AuditActor, recordAuditoria } from './record-auditoria.ts'
export { clearAuditNames, purgeAuditoria } from './repository.ts'
export { auditoriaRoutes } from './routes.ts'
