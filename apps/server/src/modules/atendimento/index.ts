export { atendimentoRoutes } from './routes.ts'
