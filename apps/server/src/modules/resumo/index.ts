export { summaryRoutes, sendDueSummary } from './send-due.ts'
