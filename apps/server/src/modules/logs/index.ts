export { logsRoutes } from './routes.ts'
export { insertLog, type NovoLog } from './inserir-log.ts'
export { inicioDoDia } from './rules.ts'
