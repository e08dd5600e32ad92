export { logsRoutes } from './routes.ts'
export { insertLog, insertLogs, type NewLog, type NewLogOfConta } from './insert-log.ts'
export { deleteMentions, listMentions, type Mention, deleteOldLogs } from './repository.ts'
export { startOfDay } from './rules.ts'
