export { deleteOldAgendadas } from './repository.ts'
export { agendadasRoutes } from './routes.ts'
export { sendDueAgendadas, type SendDueDeps } from './send-due.ts'
