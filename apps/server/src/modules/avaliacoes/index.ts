export { avaliacoesRoutes } from './routes.ts'
