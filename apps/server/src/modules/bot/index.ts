export { botRoutes } from './routes.ts'
