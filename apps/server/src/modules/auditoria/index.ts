export { type NovoAto, type Quem, registrarAuditoria } from './registrar-auditoria.ts'
export { forgetNomes, purgeAuditoria } from './repository.ts'
export { auditoriaRoutes } from './routes.ts'
