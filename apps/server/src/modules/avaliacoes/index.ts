export { insertAvaliacoes, type NewAvaliacao } from './repository.ts'
export { avaliacoesRoutes } from './routes.ts'
