export { configuracaoRoutes } from './routes.ts'
export { insertDefaultConfig } from './inserir-config-padrao.ts'
export { loadConfig } from './repository.ts'
