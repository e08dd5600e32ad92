export { deleteOldAgendadas, failRestoredAgendadas } from './repository.ts'
export { agendadasRoutes } from './schedule.ts'
export { sendDueAgendadas } from './send-due.ts'
