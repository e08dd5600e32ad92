export { readTotal } from './numbers.ts'
export { relatorioRoutes } from './routes.ts'
