export { BackupJob, type BackupPlan } from './backup-job.ts'
export { heartbeatJob } from './heartbeat-job.ts'
export { releaseRestored } from './release-restored.ts'
export { sistemaRoutes } from './routes.ts'
