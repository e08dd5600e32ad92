export { simuladorRoutes } from './routes.ts'
