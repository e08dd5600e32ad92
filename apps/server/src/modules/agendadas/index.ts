export { agendadasRoutes } from './routes.ts'
export { sendDueAgendadas, type SendDueDeps } from './send-due.ts'
