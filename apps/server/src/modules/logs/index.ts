export { logsRoutes } from './routes.ts'
export { insertLog, insertLogs, type NewLog, type NewLogOfConta, prepareLogs } from './insert-log.ts'
export { deleteMentions, insertLogsSql, listMentions, type Mention, deleteOldLogs } from './repository.ts'
export { startOfDay } from './rules.ts'
