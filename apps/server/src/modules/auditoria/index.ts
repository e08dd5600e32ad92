export { type NewAto, type AuditActor, recordAuditoria } from './registrar-auditoria.ts'
export { clearAuditNames, purgeAuditoria } from './repository.ts'
export { auditoriaRoutes } from './routes.ts'
