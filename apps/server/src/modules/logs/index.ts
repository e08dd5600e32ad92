export { logsRoutes } from './routes.ts'
export { insertLog, type NewLog } from './insert-log.ts'
export { ACCENTS, startOfDay, foldAccents } from './rules.ts'
