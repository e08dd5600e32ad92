export { resumoRoutes, sendDueSummary } from './send-due.ts'
