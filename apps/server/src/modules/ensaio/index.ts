export { ensaioRoutes } from './routes.ts'
