export { retentionJob } from './faxina.ts'
