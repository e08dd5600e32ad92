export { logsRoutes } from './routes.ts'
export { insertLog, type NovoLog } from './inserir-log.ts'
export { ACENTOS, inicioDoDia, semAcentos } from './rules.ts'
