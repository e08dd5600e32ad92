export { relatorioRoutes } from './routes.ts'
