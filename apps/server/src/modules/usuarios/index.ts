export { createRegistrador, type Registrador } from './registrador.ts'
export { usuariosRoutes } from './routes.ts'
