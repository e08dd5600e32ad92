export { devolverAFila } from './devolver-a-fila.ts'
export { atendimentoRoutes } from './routes.ts'
