export { COST_MARK_DAYS, recordCosts } from './record-costs.ts'
export { deleteOldCostMarks } from './repository.ts'
export { costRoutes } from './routes.ts'
