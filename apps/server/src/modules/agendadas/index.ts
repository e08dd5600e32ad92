export { deleteOldAgendadas, failRestoredAgendadas } from './repository.ts'
export { agendadasRoutes } from './routes.ts'
export { sendDueAgendadas } from './send-due.ts'
