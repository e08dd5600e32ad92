export { BackupJob, type BackupPlan } from './backup-job.ts'
export { releaseRestored } from './release-restored.ts'
export { sistemaRoutes } from './routes.ts'
export { totalsJob } from './totals.ts'
