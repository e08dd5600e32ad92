export { logsRoutes } from './routes.ts'
export { insertLog, type NewLog } from './inserir-log.ts'
export { ACCENTS, startOfDay, foldAccents } from './rules.ts'
