export { createRegistrador } from './registrador.ts'
export { usuariosRoutes } from './routes.ts'
