export { createDiarioOficial } from './diario.ts'
export { apagarTokenEmUso } from './repository.ts'
export { oficialRoutes } from './routes.ts'
export { receberAvisos } from './webhook.ts'
