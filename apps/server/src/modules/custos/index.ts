export { type CountPrices, createPriceCounter } from './count-prices.ts'
export { COST_MARK_DAYS } from './record-costs.ts'
export { deleteOldCostMarks } from './repository.ts'
export { costRoutes } from './routes.ts'
