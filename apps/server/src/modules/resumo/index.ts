export { sendDueSummary } from './send-due.ts'
