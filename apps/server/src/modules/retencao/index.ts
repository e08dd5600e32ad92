export { deleteOldRows, retentionJob } from './retention-job.ts'
