export { insertAvaliacao } from './repository.ts'
export { avaliacoesRoutes } from './routes.ts'
